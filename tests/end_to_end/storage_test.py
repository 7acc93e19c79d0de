"""Tests of the file system around a run: locks, files in use, links, and chunks stored in every legal way."""
import fcntl
import os
import signal
import subprocess
import sys
import unittest
import zlib

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import STACK, SceneTest, finish, main, start, stop_in_the_middle, wait_until


class Locks(SceneTest):
    # MintPy issue 855, h5py issues 1082 and 1101.

    def test_a_stack_that_another_program_holds_is_refused_at_once(self):
        self.write_signal()
        with open(self.stack, "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            run = self.invert(timeout=20)
        self.assert_refused(run, STACK, codes=(1, 2))
        self.assertRegex(run.stderr, "open|lock|use")

    def test_the_user_can_turn_file_locking_off(self):
        self.write_signal()
        with open(self.stack, "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.assert_signal(self.invert_well(env={"HDF5_USE_FILE_LOCKING": "FALSE"}), (0, 1))

    def test_a_reader_of_the_stack_does_not_disturb(self):
        self.write_signal()
        with h5py.File(self.stack, "r"):
            self.assert_signal(self.invert_well(), (0, 1))

    def test_inputs_that_cannot_be_written_are_read(self):
        self.write_signal()
        os.chmod(self.stack, 0o444)
        os.chmod(self.path("inputs"), 0o555)
        self.addCleanup(os.chmod, self.path("inputs"), 0o755)
        self.assert_signal(self.invert_well(), (0, 1))

    def test_of_two_runs_in_one_folder_the_second_is_refused(self):
        self.write_signal(40, 50)
        first = start(["invert-network", STACK, "--progress", "none", "--threads", "1", "--tile", "1x1"], self.folder)
        part = self.path(".outcrop", "timeseries.h5.part")
        wait_until(lambda: os.path.exists(part), "the first run has begun")
        first.send_signal(signal.SIGSTOP)
        try:
            second = self.invert()
        finally:
            first.send_signal(signal.SIGCONT)
        ended = finish(first)
        self.assertEqual(second.code, 2, second.stderr)
        self.assertEqual(ended.code, 0, ended.stderr)


class Replacement(SceneTest):
    # h5py issues 1807 and 1864: the old content was destroyed before the new was there.

    def test_a_reader_of_an_old_output_keeps_it_while_it_is_replaced(self):
        self.write_signal()
        old = self.invert_well()
        code = ("import h5py,sys; f=h5py.File(sys.argv[1]); print('open',flush=True); sys.stdin.readline(); "
                "print(f['timeseries'][0:5,0,1].tolist())")
        with subprocess.Popen([sys.executable, "-c", code, self.path("timeseries.h5")], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as reader:
            self.assertEqual(reader.stdout.readline().strip(), "open")
            samples = mp.interferograms(2 * mp.history(1, 3))
            mp.write_stack(self.stack, samples)
            new = self.invert_well()
            seen = reader.communicate("go\n", timeout=30)[0]
        self.assertEqual(seen.strip(), str(old.series[:, 0, 1].tolist()))
        self.assert_pixel(new, (0, 1), 2 * mp.DISPLACEMENT, 1, 7)

    def test_an_output_that_is_the_input_is_refused_by_any_name(self):
        self.write_signal()
        os.symlink("ifgramStack.h5", self.path("inputs", "soft.h5"))
        os.link(self.stack, self.path("inputs", "hard.h5"))
        before = mp.read(self.stack, "unwrapPhase")
        for name in (STACK, "./inputs/../" + STACK, "inputs/soft.h5", "inputs/hard.h5"):
            with self.subTest(name):
                self.assert_refused(self.invert("-o", name, "quality.h5", "count.h5"), name)
                np.testing.assert_array_equal(mp.read(self.stack, "unwrapPhase"), before)

    def test_a_kill_leaves_the_old_outputs_and_the_next_run_cleans_up(self):
        self.write_signal(40, 50)
        self.invert_well()
        before = self.product_hashes()
        process = start(["invert-network", STACK, "--threads", "1", "--tile", "1x1", "--progress", "none"], self.folder)
        stop_in_the_middle(process, self.folder, signal.SIGKILL)
        self.assertEqual(finish(process).code, -signal.SIGKILL)
        self.assertEqual(self.product_hashes(), before)
        self.invert_well()
        self.assertEqual(self.product_hashes(), before)
        self.assert_nothing_unfinished()

    def test_an_output_name_that_is_a_folder_is_refused_before_the_work(self):
        self.write_signal()
        os.mkdir(self.path("timeseries.h5"))
        run = self.invert()
        self.assertIn(run.code, (1, 2), run.stderr)
        self.assertIn("timeseries.h5", run.stderr)
        self.assertFalse(os.path.exists(self.path("temporalCoherence.h5")))
        self.assert_nothing_unfinished()


class Chunks(SceneTest):
    # hdf5 issue 5224, jhdf issue 873: skipped filters, edge chunks, chunks never written.
    ROWS, COLS, CHUNK = 101, 67, (2, 32, 32)

    def setUp(self):
        super().setUp()
        self.samples = mp.interferograms(mp.history(self.ROWS, self.COLS, growth=0.0003))
        mp.write_stack(self.stack, self.samples)
        self.plain = self.invert_well()

    def replace(self, name, fill=None, **storage):
        file = h5py.File(self.stack, "r+")
        self.addCleanup(file.close)
        del file[name]
        return file, file.create_dataset(name, self.samples.shape, "f4", chunks=self.CHUNK, fillvalue=fill, **storage)

    def test_a_chunk_whose_filter_was_skipped_is_read_as_it_is(self):
        file, dataset = self.replace("unwrapPhase", compression="gzip")
        dataset[...] = self.samples
        dataset.id.write_direct_chunk((2, 32, 0), self.samples[2:4, 32:64, :32].tobytes(), filter_mask=1)
        file.close()
        self.assert_same_values(self.plain, self.invert_well())

    def test_a_chunk_that_grew_in_compression_is_read(self):
        noise = np.random.default_rng(1).integers(0x3D000000, 0x3F7FFFFF, self.samples.shape, dtype="u4").view("f4")
        mp.write_stack(self.stack, self.samples, coherence=noise)
        plain = self.invert_well()
        file, dataset = self.replace("coherence", compression="gzip", compression_opts=1, fletcher32=True)
        dataset[...] = noise
        dataset.id.write_direct_chunk((0, 0, 0), self.stored_badly(noise[0:2, :32, :32].tobytes()))
        file.close()
        self.assert_same_values(plain, self.invert_well())

    @staticmethod
    def stored_badly(raw):
        """zlib without compression, then HDF5's Fletcher checksum: longer than the samples."""
        packed = zlib.compress(raw, 0)
        words = np.frombuffer(packed + b"\0" * (len(packed) % 2), ">u2").astype("u8")
        first = second = 0
        for word in words.tolist():
            first = (first + word) % 65535
            second = (second + first) % 65535
        checksum = ((second or 65535) << 16) | (first or 65535)
        return packed + checksum.to_bytes(4, "little")

    def test_chunks_never_written_hold_the_fill_value(self):
        for fill in (None, np.nan, 7.5):
            with self.subTest(fill=fill):
                mp.write_stack(self.stack, self.samples)
                file, dataset = self.replace("unwrapPhase", fill, compression="gzip", shuffle=True)
                dataset[:, :64] = self.samples[:, :64]
                full = dataset[...]
                file.close()
                chunked = self.invert_well()
                mp.write_stack(self.stack, full)
                self.assert_same_values(self.invert_well(), chunked)

    def test_a_damaged_chunk_stops_the_run_with_the_name_of_its_dataset(self):
        for storage in ({"compression": "gzip"}, {"fletcher32": True}, {"compression": "lzf", "fletcher32": True}):
            with self.subTest(**storage):
                mp.write_stack(self.stack, self.samples)
                file, dataset = self.replace("unwrapPhase", **storage)
                dataset[...] = self.samples
                info = dataset.id.get_chunk_info_by_coord((4, 64, 32))
                file.close()
                with open(self.stack, "r+b") as raw:
                    raw.seek(info.byte_offset + info.size // 2)
                    damaged = bytes(255 - b for b in raw.read(40))
                    raw.seek(-40, os.SEEK_CUR)
                    raw.write(damaged)
                for name in mp.Products.NAMES:
                    if os.path.exists(self.path(name)):
                        os.remove(self.path(name))
                self.assert_refused(self.invert(), "unwrapPhase", "chunk", codes=(1,))


if __name__ == "__main__":
    main()
