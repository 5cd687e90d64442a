/**
 * Adds the commands that are derived from operations to the program. `derived-commands.ts` is generated from
 * the definitions, so that a command need not load them.
 */
import { Argument, Option, type Command } from 'commander'
import { defineCommand } from './define.ts'
import type { CommandParameter } from './derived-command.ts'
import { derivedCommands } from './derived-commands.ts'
import { UsageError } from './errors.ts'
import { findGroup } from './groups.ts'
import { checked, oneOf, switchOptions, readList, readWhole } from './options.ts'

export function defineDerived(program: Command): void {
  for (const command of derivedCommands) {
    const names = command.name.split(' ')
    const limit = checked(
      '--limit <n>',
      command.limit === undefined ? 'maximum number (default: all)' : 'maximum number',
      (text, option) => readWhole(option, text, 1, Number.MAX_SAFE_INTEGER),
    ).default(command.limit)
    defineCommand(findGroup(program, names.slice(0, -1)), {
      name: names.at(-1)!,
      summary: command.summary,
      ...(command.details === undefined ? {} : { details: command.details }),
      arguments: command.arguments.map(toArgument),
      required: command.options.filter(({ required }) => required).flatMap(toOptions),
      options: [
        ...command.options.filter(({ required }) => required !== true).flatMap(toOptions),
        ...(command.isPage ? [limit] : []),
      ],
      operation: command.operation,
      examples: command.examples,
      json: command.json,
      call: async (admin, ...given: unknown[]) =>
        (await import('./run-derived.ts')).runDerived(admin, command, given),
    })
  }
}

function toArgument(parameter: CommandParameter): Argument {
  const { name, description, required, type } = parameter
  const ellipsis = type === 'list' || type === 'numbers' ? '...' : ''
  const usage = required ? `<${name}${ellipsis}>` : `[${name}${ellipsis}]`
  const argument = new Argument(usage, description)
  const { choices } = parameter
  if (choices !== undefined) argument.choices(choices)
  return argument.argParser((text: string, before: unknown) => {
    if (choices?.includes(text) === false)
      throw new UsageError(`${name} must be one of ${choices.join(', ')}, not '${text}'`)
    const value = readValue(parameter, text, name)
    return ellipsis === '' ? value : [...((before as unknown[] | undefined) ?? []), ...(value as unknown[])]
  })
}

function toOptions(parameter: CommandParameter): Option[] {
  const { name, description, type, choices, nullable, canBeEmpty, min, max } = parameter
  if (type === 'flag') return [new Option(`--${name}`, description)]
  if (type === 'switch') return switchOptions(name, description, `the opposite of --${name}`)
  const nullHint = nullable ? '; "none" for null' : ''
  if (choices !== undefined)
    return [oneOf(`--${name} <choice>`, description + nullHint, nullable ? [...choices, 'none'] : choices)]
  const placeholder = { text: 'text', whole: 'n', number: 'n', numbers: 'list', list: 'list', json: 'json' }[
    type
  ]
  const help = [
    description,
    type === 'list' || type === 'numbers' ? ' (separated by commas)' : '',
    type === 'whole' && max !== undefined ? ` (${min ?? 0} to ${max})` : '',
    nullHint,
    canBeEmpty ? '; "none" for an empty list' : '',
  ].join('')
  return [checked(`--${name} <${placeholder}>`, help, (text, option) => readValue(parameter, text, option))]
}

function readValue(parameter: CommandParameter, text: string, option: string): unknown {
  const { type, nullable, canBeEmpty, min, max } = parameter
  // Commander replaces a null, so the word `none` is kept until the request is built.
  if (nullable && text === 'none') return text
  if (canBeEmpty && text === 'none') return []
  if (type === 'list') return readList(text)
  if (type === 'numbers')
    return readList(text).map((item) => readWhole(option, item, min ?? 0, max ?? Number.MAX_SAFE_INTEGER))
  if (type === 'whole') return readWhole(option, text, min ?? 0, max ?? Number.MAX_SAFE_INTEGER)
  if (type === 'number') return readNumber(text, option)
  if (type === 'json') return readJson(text, option)
  return text
}

function readNumber(text: string, option: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new UsageError(`${option} must be a number, not '${text}'`)
}

function readJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${option} must be JSON: ${(error as Error).message}`)
  }
}
