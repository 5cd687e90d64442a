/** Which carrier numbers belong to: read from lines and replaced as a whole, for commands and the admin API. */
import { carrierError } from '../channels/mobile-carriers.ts'
import { isPrefix, toPlain, type NumberRange } from '../routes/numbering.ts'
import { replaceRanges } from '../routes/ranges.ts'
import type { ActAudit } from './act-audit.ts'
import { OperationError } from './errors.ts'

export function replaceNumberRanges(audit: ActAudit, ranges: readonly NumberRange[]): Promise<void> {
  return audit.change(async (transaction) => {
    await replaceRanges(transaction, ranges)
    return [undefined, { target: 'number ranges', details: { ranges: ranges.length } }]
  })
}

/** Throws an error that names the line. Skips a first line of titles and blank lines. */
export function parseRanges(text: string): NumberRange[] {
  const found = new Map<string, NumberRange>()
  text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .forEach((line, index) => {
      if (line.trim() === '' || (index === 0 && /^\s*"?[a-z]/i.test(line))) return
      const [prefix = '', carrier = '', ...rest] = line
        .split(',')
        .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
      const at = `line ${index + 1}`
      if (!isPrefix(prefix) || rest.length > 0)
        throw invalidRanges(
          `${at}: must be a prefix such as 0102 or +8110, a comma and a carrier, not '${line.trim()}'`,
        )
      const error = carrierError(carrier)
      if (error !== null) throw invalidRanges(`${at}: ${error}`)
      const before = found.get(toPlain(prefix))
      if (before !== undefined && before.carrier !== carrier)
        throw invalidRanges(
          `${at}: ${prefix} belongs to ${before.carrier} in an earlier line and to ${carrier} here`,
        )
      found.set(toPlain(prefix), { prefix, carrier })
    })
  // More likely the wrong file than the intention to remove every range.
  if (found.size === 0) throw invalidRanges('the list holds no range')
  return [...found.values()]
}

function invalidRanges(message: string): OperationError {
  return new OperationError('invalid-request', message)
}
