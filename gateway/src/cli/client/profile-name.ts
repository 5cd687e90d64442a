import { UsageError } from '../errors.ts'

export const nameFormat = /^[a-z0-9][a-z0-9._-]{0,31}$/

export function readProfileName(text: string, option: string): string {
  if (nameFormat.test(text)) return text
  throw new UsageError(
    `${option} must be 1 to 32 lower-case letters, digits, dots, hyphens and underscores, beginning with a letter or digit, not '${text}'`,
  )
}
