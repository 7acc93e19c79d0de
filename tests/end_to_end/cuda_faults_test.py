"""Tests that no call of the CUDA module goes unchecked: each kind of call fails, the first time, in the middle and the
last time, for once or for good, and the run ends with the device's words and no product, or with the right products."""
import os

from outcrop_run import SceneTest, main
from stand_in_run import CUDA, StandIn, need_stand_in

CAME_TO_GRIEF, NO_MEMORY = 719, 2

# What a run may survive: memory that it does without, and what only gives back.
GIVING_BACK = ("cudaFree", "cudaFreeHost", "cudaEventDestroy", "cudaStreamDestroy", "cusolverDnDestroy")
ALSO_GIVING_BACK = ("cudaSetDevice", "cudaStreamSynchronize")


SOLVERS = {"structured": ["structured"], "batched": ["batched"],
           "batched, assembled by the host": ["batched", "--config", "host.toml"]}


def some(numbers):
    """The first, the middle and the last."""
    return sorted({numbers[0], numbers[len(numbers) // 2], numbers[-1]})


class EveryCall(StandIn, SceneTest):
    def setUp(self):
        super().setUp()
        self.write_signal(11, 60, growth=0.001)
        with open(self.path("host.toml"), "w", encoding="utf-8") as file:
            file.write('[device]\nassembly = "host"\nbatch = 90\nqueues = 2\n')

    def run_on(self, device, solver):
        return self.invert(*device, "--tile", "4x50", "--solver", *SOLVERS[solver])

    def check(self, solver, right, **plan):
        """Gives the log, and whether the run succeeded."""
        for name in right:
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        self.plan(**plan)
        run = self.run_on(CUDA, solver)
        log = self.check_use()
        if run.code == 0:
            self.assertLessEqual(len(self.warnings(run)), 1, run.stderr)
            self.assertEqual(self.product_hashes(), self.of_host if "running on the" in run.stderr else right)
            return log, True
        self.assertIn(run.code, (1, 2), run.stderr)
        self.assertRegex(run.stderr, rf"error {plan['error']}\b|cuSOLVER says [1-9]")
        self.assert_nothing_written()
        return log, False

    def calls_by_name(self, solver):
        self.assertEqual(self.run_on(("--device", "cpu"), solver).code, 0)
        self.of_host = self.product_hashes()
        self.plan()
        run = self.run_on(CUDA, solver)
        self.assertEqual(run.code, 0, run.stderr)
        names = {}
        log = self.check_use()
        for number, name in enumerate(log.calls, start=1):
            names.setdefault(name, []).append(number)
        return names, log.works, self.product_hashes()

    def fail_each(self, solver, error, is_lasting, outcomes_of):
        names, _, right = self.calls_by_name(solver)
        for numbers in names.values():
            for number in some(numbers):
                with self.subTest(call=number, error=error, is_lasting=is_lasting):
                    log, succeeded = self.check(solver, right, call=number, error=error, is_lasting=int(is_lasting))
                    # The order of calls from different threads is not always the same.
                    name = log.calls[number - 1]
                    self.assertIn(succeeded, outcomes_of(name), name)

    def outcomes_once(self, name):
        if name in GIVING_BACK:
            return {True}
        return {True, False} if name in ALSO_GIVING_BACK else {False}

    def test_a_call_that_fails_once_ends_the_run_or_is_done_without(self):
        for solver in SOLVERS:
            self.fail_each(solver, CAME_TO_GRIEF, False, self.outcomes_once)

    def test_a_call_for_which_there_is_no_memory_ends_the_run_or_is_done_without(self):
        for solver in SOLVERS:
            self.fail_each(solver, NO_MEMORY, False, lambda name: {True, False})

    def test_a_device_that_fails_for_good_ends_the_run_whatever_call_hears_of_it_first(self):
        for solver in SOLVERS:
            self.fail_each(solver, CAME_TO_GRIEF, True,
                           lambda name: {True, False} if name in GIVING_BACK + ALSO_GIVING_BACK else {False})

    def test_work_that_comes_to_grief_on_the_device_ends_the_run(self):
        for solver in SOLVERS:
            _, works, right = self.calls_by_name(solver)
            for number in range(1, works + 1):
                with self.subTest(solver=solver, order=number):
                    _, succeeded = self.check(solver, right, order=number, error=CAME_TO_GRIEF)
                    self.assertFalse(succeeded)


if __name__ == "__main__":
    need_stand_in()
    main()
