/**
 * Runs one command line and returns its exit code: 0 success, 1 failure, 2 wrong usage or setting. Errors go to
 * stderr: what is wrong, then what to do next. Called by `cli.ts` and by tests.
 */
import { CommanderError, type Command } from 'commander'
import { OperationError } from '../acts/errors.ts'
import { ConfigError } from '../platform/config-error.ts'
import { isGiven } from '../platform/environment.ts'
import { FailedError, FailedResult, UsageError } from './errors.ts'
import { createProgram, type Terminal } from './program.ts'
import { printable } from './result.ts'

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal).hook('preAction', loadProviders)
  const { path, parsed, command } = locate(program, args)
  try {
    const protocol = protocolAskedFor(path, parsed)
    if (protocol === undefined) await program.parseAsync(parsed, { from: 'user' })
    else {
      await loadProviders()
      terminal.out((await import('./route/protocol-help.ts')).protocolHelp(protocol))
    }
    return 0
  } catch (error) {
    const { exitCode, text } = await explain(error, path, command, args)
    for (const line of text) terminal.err(`${printable(line)}\n`)
    return exitCode
  }
}

/** Roles and commands know the providers of the operator before they read a route. */
async function loadProviders(): Promise<void> {
  if (!isGiven('providerModules')) return
  const { loadSettings } = await import('../platform/config.ts')
  const { providerModules } = loadSettings(['providerModules'])
  const { loadProviderModules } = await import('../connectors/provider-modules.ts')
  await loadProviderModules(providerModules!)
}

interface Located {
  /** The names of the command, `postern` first. */
  readonly path: readonly string[]
  readonly parsed: readonly string[]
  readonly command: Command
}

/**
 * Commander's own `help` takes one name, and it answers an unknown command with `--help` by the page of its group.
 * Here `help` works at every depth, and an unknown command is an error with and without `--help`.
 */
function locate(program: Command, args: readonly string[]): Located {
  const names: string[] = []
  let command = program
  let help = args.length === 0
  for (const arg of args) {
    if (arg.startsWith('-') || command.commands.length === 0) break
    if (arg === 'help') {
      help = true
      continue
    }
    const next = command.commands.find((candidate) => candidate.name() === arg)
    if (next === undefined) return { path: ['postern', ...names], parsed: [...names, arg], command }
    names.push(arg)
    command = next
  }
  return { path: ['postern', ...names], parsed: help ? [...names, '--help'] : args, command }
}

/** `route put --help smpp`: the options of a protocol are loaded only when they are asked for. */
function protocolAskedFor(path: readonly string[], args: readonly string[]): string | undefined {
  const [option, protocol, ...more] = args.slice(path.length - 1)
  const asked = path.join(' ') === 'postern route put' && (option === '--help' || option === '-h')
  return asked && more.length === 0 ? protocol : undefined
}

/** An error may have several lines, but an argument that it quotes, perhaps pasted from a message, starts none. */
function withoutBreaks(message: string, args: readonly string[]): string {
  return args
    .filter((arg) => /[\r\n]/.test(arg))
    .reduce((text, arg) => text.replaceAll(arg, printable(arg)), message)
}

interface Explanation {
  readonly exitCode: number
  readonly text: readonly string[]
}

async function explain(
  error: unknown,
  path: readonly string[],
  command: Command,
  args: readonly string[],
): Promise<Explanation> {
  const name = path.join(' ')
  const plain = (message: string): string[] => `${name}: ${withoutBreaks(message, args)}`.split('\n')
  const usage = `Run '${name} --help' for usage.`
  if (error instanceof OperationError) {
    const { explainRefusal } = await import('./client/explain.ts')
    const text = plain(explainRefusal(error, command))
    const isUsage = error.code === 'invalid-request' || error.code === 'reason-missing'
    return isUsage ? { exitCode: 2, text: [...text, usage] } : { exitCode: 1, text }
  }
  if (error instanceof FailedResult) return { exitCode: 1, text: [] }
  if (error instanceof FailedError) return { exitCode: 1, text: plain(error.message) }
  if (error instanceof UsageError) return { exitCode: 2, text: [...plain(error.message), usage] }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exitCode: 0, text: [] }
    // A group without a command: its help page is on stderr already.
    if (error.code === 'commander.help') return { exitCode: 2, text: ['', ...plain('a command is missing')] }
    return { exitCode: 2, text: [...plain(error.message.replace(/^error: /, '')), usage] }
  }
  if (error instanceof ConfigError) return { exitCode: 2, text: [...plain(error.message), ...nextSetting] }
  if ((error as { code?: unknown }).code === 'EADDRINUSE') {
    const next =
      'stop the process that uses it, or set POSTERN_HTTP_PORT, POSTERN_SMPP_SERVER_PORT or POSTERN_OPS_PORT'
    return { exitCode: 1, text: plain(`${(error as Error).message}; ${next}`) }
  }
  // A defect: the stack says where. What starts a role writes this to its log.
  const { describeError, safeText } = await import('../platform/log-error.ts')
  return {
    exitCode: 1,
    text: plain([safeText(error), describeError(error).stack ?? ''].join('\n').trimEnd()),
  }
}

const nextSetting = [
  'Set it in the environment of this command, as for the gateway itself; docs/configuration.md lists every setting.',
  'For the gateway of `npm run dev`, load the file it printed first: . .services/dev/env',
]
