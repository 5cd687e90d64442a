/** The operator's command line: `postern <command>`. A role keeps running after its command has returned. */
import { run } from './commands/run.ts'

const exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  width: process.stdout.columns,
})
// At once: a role that failed to start may have left connections open.
if (exitCode !== 0) process.exit(exitCode)
