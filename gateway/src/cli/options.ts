/**
 * Options with a checked value. One definition provides the allowed values or range for the help page and the
 * error; a wrong value throws a UsageError that names the option.
 */
import { Option } from 'commander'
import { isDay } from '../contract/day.ts'
import { UsageError } from './errors.ts'

/**
 * Creates an option that `read` checks and converts. `read` receives the option's name for its error message.
 */
export function checked(
  flags: string,
  description: string,
  read: (text: string, option: string) => unknown,
): Option {
  const option = new Option(flags, description)
  return option.argParser((text: string) => read(text, option.long ?? flags))
}

export function wholeNumber(
  flags: string,
  description: string,
  range: { readonly min: number; readonly max: number },
): Option {
  const { min, max } = range
  return checked(flags, `${description} (${min} to ${max})`, (text, option) =>
    readWhole(option, text, min, max),
  )
}

export function oneOf(flags: string, description: string, values: readonly string[]): Option {
  const option = new Option(flags, description).choices(values)
  // Replaces the check of `choices`, which keeps the values for the help page.
  return option.argParser((text: string) => {
    if (values.includes(text)) return text
    throw new UsageError(`${option.long ?? flags} must be one of ${values.join(', ')}, not '${text}'`)
  })
}

/** Creates `--name` and `--no-name`; if neither is given, the value is undefined. */
export function switchOptions(name: string, on: string, off: string): [Option, Option] {
  return [new Option(`--${name}`, on), new Option(`--no-${name}`, off)]
}

export function readWhole(option: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^\d{1,16}$/.test(text) || value < min || value > max)
    throw new UsageError(`${option} must be an integer from ${min} to ${max}, not '${text}'`)
  return value
}

/** Returns the items of a comma-separated list, without spaces and empty items. */
export function readList(text: string): string[] {
  return text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
}

export function readDay(text: string, option: string): string {
  if (isDay(text)) return text
  throw new UsageError(`${option} must be a day such as 2026-11-02, not '${text}'`)
}

export function day(flags: string, description: string): Option {
  return checked(flags, description, readDay)
}

export function readRolePrefix(text: string, option: string): string {
  if (/^[a-z][a-z0-9_]{0,40}$/.test(text)) return text
  throw new UsageError(
    `${option} must be 1 to 41 lower-case letters, digits and _, beginning with a letter, not '${text}'`,
  )
}
