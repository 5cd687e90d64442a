/**
 * Runs one command line and returns its exit code: 0 for success, 1 for a failure, 2 for invalid usage or
 * settings. Errors go to stderr: the problem, then the next step.
 */
import { CommanderError, type Command } from 'commander'
import { OperationError } from '../operations/errors.ts'
import { ConfigError } from '../platform/settings/config-error.ts'
import { isGiven } from '../platform/settings/environment.ts'
import { FailedError, FailedResult, UsageError } from './errors.ts'
import { createProgram, type Terminal } from './program.ts'
import { printable, table } from './result.ts'

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal).hook('preAction', loadProviders)
  const { path, parsed, command } = locate(program, args)
  try {
    const protocol = findHelpProtocol(path, parsed)
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

/** Loads the operator's providers before roles and commands read a route. */
async function loadProviders(): Promise<void> {
  if (!isGiven('providerModules')) return
  const { loadSettings } = await import('../platform/settings/config.ts')
  const { providerModules } = loadSettings(['providerModules'])
  const { loadProviderModules } = await import('../carriers/connectors/provider-modules.ts')
  await loadProviderModules(providerModules!)
}

interface Located {
  /** The names of the command, starting with `postern`. */
  readonly path: readonly string[]
  readonly parsed: readonly string[]
  readonly command: Command
}

/**
 * Locates the command of an argument list. Commander's own `help` accepts one name, and it responds to an
 * unknown command with `--help` by the page of its group. Here `help` works at every depth, and an unknown
 * command is an error with and without `--help`.
 */
function locate(program: Command, args: readonly string[]): Located {
  const names: string[] = []
  let command = program
  let isHelp = args.length === 0
  for (const arg of args) {
    if (arg.startsWith('-') || command.commands.length === 0) break
    if (arg === 'help') {
      isHelp = true
      continue
    }
    const next = command.commands.find((candidate) => candidate.name() === arg)
    if (next === undefined) return { path: ['postern', ...names], parsed: [...names, arg], command }
    names.push(arg)
    command = next
  }
  return { path: ['postern', ...names], parsed: isHelp ? [...names, '--help'] : args, command }
}

/** Returns the protocol of `route put --help smpp`; its options are only loaded for this page. */
function findHelpProtocol(path: readonly string[], args: readonly string[]): string | undefined {
  const [option, protocol, ...more] = args.slice(path.length - 1)
  const isProtocolHelp = path.join(' ') === 'postern route put' && (option === '--help' || option === '-h')
  return isProtocolHelp && more.length === 0 ? protocol : undefined
}

/**
 * Removes line breaks of quoted arguments, such as text pasted from a message. The error itself may have
 * several lines.
 */
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
    // A group without a command: its help page is already on stderr.
    if (error.code === 'commander.help') return { exitCode: 2, text: ['', ...plain('a command is required')] }
    const problem = plain(error.message.replace(/^error: /, ''))
    return { exitCode: 2, text: [...problem, ...listAlternatives(error, command), usage] }
  }
  if (error instanceof ConfigError) return { exitCode: 2, text: [...plain(error.message), ...settingAdvice] }
  if ((error as { code?: unknown }).code === 'EADDRINUSE') {
    const next =
      'stop the process that uses the port, or set POSTERN_HTTP_PORT, POSTERN_ADMIN_PORT, POSTERN_SMPP_SERVER_PORT or POSTERN_OPS_PORT'
    return { exitCode: 1, text: plain(`${(error as Error).message}; ${next}`) }
  }
  // A defect: print the stack. A role writes it to its log.
  const { describeError, safeText } = await import('../platform/logging/log-error.ts')
  return {
    exitCode: 1,
    text: plain([safeText(error), describeError(error).stack ?? ''].join('\n').trimEnd()),
  }
}

/** Lists the commands of a group after an unknown one, unless commander suggests a similar name. */
function listAlternatives({ code, message }: CommanderError, command: Command): string[] {
  const isGroup = command.parent !== null
  if (code !== 'commander.unknownCommand' || !isGroup || message.endsWith('?)')) return []
  return table(command.commands.map((child) => [`  ${child.name()}`, child.summary()]))
}

const settingAdvice = [
  'Set it in the environment of this command, like for the gateway itself; docs/reference/configuration.md lists every setting.',
  'For the gateway of `npm run dev`, first load the file that it printed: . .services/dev/env',
]
