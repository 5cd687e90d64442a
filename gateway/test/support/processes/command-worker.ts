/**
 * The thread of `command-thread.ts`: runs command lines one after the other, each with its own environment.
 */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { CommandLine, CommandOutput } from './command-thread.ts'

// Threads do not inherit the compile cache.
if (typeof workerData === 'string') enableCompileCache(workerData)
const { run } = await import('../../../src/cli/run.ts')

parentPort!.on('message', ({ environment, args }: CommandLine) => {
  // The thread has its own copy. Change it in place, because modules keep a reference to it.
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
