/**
 * Checks a command line of a page against the definitions of commander (names, arguments, options and their
 * values), and the link of `route put` against the options of its protocol. Runs no command.
 */
import type { Argument, Command, Option } from 'commander'
import { parseOptions } from '../../gateway/src/carriers/connectors/options/options.ts'
import { getKind } from '../../gateway/src/carriers/connectors/registry.ts'
import type { FoundCommand } from './find-commands.ts'

/**
 * Commands that require a reason, with a pattern of the options that cause the requirement; '' matches every
 * command.
 */
const demandsReason: Readonly<Record<string, RegExp>> = {
  '': /^--reveal$/,
  'account set': /^--(?:erase-after-days|smpp-binds|limits-\w+)$/,
}

/** A word in capitals, in angle brackets, or a shell variable; `…` matches anything. */
const placeholder = /^[A-Z][A-Z_-]*$|^<.*>$|^\$|…/

/**
 * Returns a function that returns the fault of a command line, or null. Changes `program`: its commands do nothing
 * afterwards.
 */
export function createChecker(program: Command): (found: FoundCommand) => string | null {
  for (const command of listRunnable(program)) {
    command.action(() => undefined)
    for (const value of [...command.options, ...command.registeredArguments]) allowPlaceholders(value)
  }
  return ({ words, inline }) => {
    const plain = words.map((word) => word.replaceAll(/^\[|\]$/g, ''))
    const { command, path, rest } = locate(program, plain)
    if (plain[0] === '--help' || plain[0] === 'help') return null
    if (command === program || (command.commands.length > 0 && /^[a-z]/.test(rest[0] ?? '')))
      return `command '${plain.slice(0, path.length + 1).join(' ')}' not found`
    if (rest.includes('--help')) return null
    if (inline && namesOnly(command, rest)) return findUnknownOption(command, rest)
    const complete = withoutEllipsis(command, rest)
    try {
      program.parse([...path, ...complete], { from: 'user' })
    } catch (error) {
      return (error as Error).message.replace(/^error: /, '').split('\n', 1)[0]!
    }
    return findMissingOption(command, path.join(' '), complete) ?? findLinkFault(path.join(' '), complete)
  }
}

/** Returns all commands except groups, which only contain others. `postern worker` is both. */
function listRunnable(command: Command): Command[] {
  const own = command.usage() === '<command>' ? [] : [command]
  return [...own, ...command.commands.flatMap(listRunnable)]
}

function allowPlaceholders(value: Option | Argument): void {
  const { parseArg } = value
  if (parseArg === undefined) return
  value.argParser((text: string, before: unknown) =>
    placeholder.test(text) ? text : parseArg.call(value, text, before as never),
  )
}

function locate(
  program: Command,
  words: readonly string[],
): { command: Command; path: string[]; rest: string[] } {
  let command = program
  const path: string[] = []
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word)
    if (next === undefined) break
    command = next
    path.push(word)
  }
  return { command, path, rest: words.slice(path.length) }
}

/**
 * Reports whether only a command or its options are named: `account show --json` lacks every argument, `audit
 * verify --checkpoint` the value of its option.
 */
function namesOnly(command: Command, rest: readonly string[]): boolean {
  if (rest.length === 0 || command.commands.length > 0) return true
  const last = findOption(command, rest.at(-1)!)
  const takesArguments = countRequired(command) > 0
  return last?.required === true || (takesArguments && listArguments(command, rest).length === 0)
}

function countRequired(command: Command): number {
  return command.registeredArguments.filter(({ required }) => required).length
}

function listArguments(command: Command, rest: readonly string[]): string[] {
  return rest.filter(
    (word, index) => !word.startsWith('-') && !isValueOfOption(command, rest[index - 1] ?? ''),
  )
}

function findOption(command: Command, word: string): Option | undefined {
  const [name] = word.split('=')
  return command.options.find(({ long, short }) => long === name || short === name)
}

function isValueOfOption(command: Command, before: string): boolean {
  return findOption(command, before)?.required === true && !before.includes('=')
}

function findUnknownOption(command: Command, rest: readonly string[]): string | null {
  const unknown = rest.find((word) => word.startsWith('-') && findOption(command, word) === undefined)
  return unknown === undefined ? null : `unknown option '${unknown}'`
}

/** Replaces an ellipsis that is no option value with the required arguments. */
function withoutEllipsis(command: Command, rest: readonly string[]): string[] {
  const others = rest.filter((word, index) => word !== '…' || isValueOfOption(command, rest[index - 1] ?? ''))
  if (others.length === rest.length) return others
  const missing = Math.max(0, countRequired(command) - listArguments(command, others).length)
  return [...others, ...Array<string>(missing).fill('…')]
}

function findMissingOption(command: Command, path: string, words: readonly string[]): string | null {
  const missing = command.options.find(
    (option) =>
      option.helpGroupHeading === 'Required options:' &&
      command.getOptionValue(option.attributeName()) === undefined,
  )
  if (missing !== undefined) return `${missing.flags} is required`
  const demands = ['', path].some((name) => words.some((word) => demandsReason[name]?.test(word)))
  return demands && !words.includes('--reason') ? '--reason <text> is required' : null
}

/** Protocols of provider modules, which only the processes of an operator know. */
const ownProtocols: readonly (string | undefined)[] = ['aligo']

/** Checks `--options` of `route put`, unless it contains a shell variable or an ellipsis. */
function findLinkFault(path: string, words: readonly string[]): string | null {
  const readValue = (option: string): string | undefined =>
    words.includes(option) ? words[words.indexOf(option) + 1] : undefined
  const link = readValue('--options')
  const protocol = readValue('--protocol') ?? 'smpp'
  if (path !== 'route put' || link === undefined || /\$|…/.test(link) || ownProtocols.includes(protocol))
    return null
  // The referenced variables and files exist on the machine of the operator only.
  const resolved = link.replaceAll(/"(?:env|file):[^"]*"/g, '"value-of-a-reference"')
  try {
    const { name, options } = getKind(protocol)
    parseOptions(name, options, JSON.parse(resolved))
    return null
  } catch (error) {
    return (error as Error).message
  }
}
