/** The operator's command line: `postern <command>`. A role keeps running after its command has returned. */
import { run } from './cli/run.ts'

/** Exit code after SIGPIPE (128 + 13): the reader of the output has closed the pipe, as in `postern … | head -1`. */
const brokenPipeExitCode = 141
// The command has finished its work before its result is printed.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(brokenPipeExitCode)
  throw error
})
// Progress is printed during the work, which continues if the reader has left or the disk of its file is
// full.
process.stderr.on('error', () => undefined)

const exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  width: process.stdout.columns,
})
// Exit immediately: a role that failed to start may have left connections open.
if (exitCode !== 0) process.exit(exitCode)
