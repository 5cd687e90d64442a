/** Runs `postern …` as a process of its own, whose input a test pipes or types. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import type { CapturedOutput } from '../command.ts'
import { waitFor } from '../wait.ts'
import type { Environment } from './environment.ts'
import { projectRoot } from './program.ts'

const main = 'gateway/src/main.ts'

/** Pipes the input into a command. */
export async function pipeInto(
  environment: Environment,
  input: string | Buffer,
  ...args: string[]
): Promise<CapturedOutput> {
  const env = { ...process.env, ...environment }
  const child = spawn(process.execPath, [main, ...args], { cwd: projectRoot, env })
  const exited = once(child, 'exit')
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [exitCode] = (await exited) as [number]
  return { exitCode, stdout, stderr }
}

export interface TerminalOutput {
  readonly exitCode: number
  /** What the terminal shows. */
  readonly screen: string
}

/** Runs a command on a terminal, and types each answer when its prompt is shown. */
export async function typeInto(
  environment: Environment,
  answers: readonly (readonly [prompt: string, answer: string])[],
  ...args: string[]
): Promise<TerminalOutput> {
  const command = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ')
  const env = { ...process.env, ...environment }
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { cwd: projectRoot, env })
  const exited = once(terminal, 'exit')
  let screen = ''
  terminal.stdout.on('data', (data: Buffer) => void (screen += data.toString()))
  for (const [prompt, answer] of answers) {
    await waitFor(`the prompt '${prompt}'`, () => Promise.resolve(screen.endsWith(prompt)))
    terminal.stdin.write(`${answer}\r`)
  }
  const [exitCode] = (await exited) as [number]
  return { exitCode, screen }
}
