"""Tool info of pegcp for BenchExec: pegcp solves the problem in a file, in any of its formats."""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """Tool info for pegcp."""

    def executable(self, tool_locator):
        """Return the program."""
        return tool_locator.find_executable("pegcp")

    def name(self):
        """Return the name of the tool."""
        return "pegcp"

    def project_url(self):
        """Return the page of the tool."""
        return "https://pypi.org/project/pegcp/"

    def version(self, executable):
        """Return the version that the program prints."""
        return self._version_from_tool(executable, line_prefix="pegcp, version")

    def cmdline(self, executable, options, task, rlimits):
        """Return the command line of a run."""
        limit = [] if rlimits.cputime is None else ["--time-limit", str(rlimits.cputime)]
        return [executable, "solve", *options, *limit, task.single_input_file]

    def determine_result(self, run):
        """Return the verdict, from the exit status and the first line."""
        first = run.output[0] if len(run.output) else ""
        if run.exit_code.value == 0:
            return result.RESULT_FALSE_PROP if "INFEASIBLE" in first else result.RESULT_TRUE_PROP
        return result.RESULT_UNKNOWN if run.exit_code.value == 3 else result.RESULT_ERROR
