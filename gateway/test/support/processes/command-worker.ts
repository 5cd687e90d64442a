/** The thread of `command-thread.ts`: runs one command line after the other, each with an environment of its own. */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { CommandLine, CommandOutput } from './command-thread.ts'

// A thread does not inherit it.
if (typeof workerData === 'string') enableCompileCache(workerData)
const { run } = await import('../../../src/commands/run.ts')

parentPort!.on('message', ({ environment, args }: CommandLine) => {
  // The thread has a copy of its own. It is changed, not replaced: modules keep a reference to it.
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, environment)
  let stdout = ''
  let stderr = ''
  const terminal = {
    out: (text: string) => void (stdout += text),
    err: (text: string) => void (stderr += text),
  }
  void run(args, terminal).then((exitCode) => {
    const output: CommandOutput = { exitCode, stdout, stderr }
    parentPort!.postMessage(output)
  })
})
