import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, type FormatConfig } from 'oxfmt'

const settings = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../.oxfmtrc.json'), 'utf8'),
) as FormatConfig

/** Formats a generated file as `npm run format` does. The name of the file decides the language. */
export async function formatText(path: string, text: string): Promise<string> {
  const { code, errors } = await format(path, text, settings)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  return code
}
