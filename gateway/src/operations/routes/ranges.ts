/** Parses number ranges, which map numbers to carriers, and replaces all of them. */
import { carrierError } from '../../channels/mobile-carriers.ts'
import { isPrefix, toPlain, type NumberRange } from '../../carriers/routes/numbering.ts'
import { replaceRanges } from '../../carriers/routes/ranges.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError } from '../errors.ts'

export function replaceNumberRanges(audit: AuditRecorder, ranges: readonly NumberRange[]): Promise<void> {
  return audit.change(async (transaction) => {
    await replaceRanges(transaction, ranges)
    return [undefined, { target: 'number ranges', details: { ranges: ranges.length } }]
  })
}

/**
 * Parses lines of a prefix and a carrier. Skips a header line and blank lines. An invalid line throws an error with its
 * number.
 */
export function parseRanges(text: string): NumberRange[] {
  const byPrefix = new Map<string, NumberRange & { readonly line: number }>()
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
      const before = byPrefix.get(toPlain(prefix))
      if (before !== undefined && before.carrier !== carrier)
        throw invalidRanges(
          `${at}: ${prefix} belongs to ${before.carrier} in line ${before.line} and to ${carrier} here; remove one of them`,
        )
      byPrefix.set(toPlain(prefix), { prefix, carrier, line: index + 1 })
    })
  // An empty list is more likely the wrong file than the intention to remove every range.
  if (byPrefix.size === 0) throw invalidRanges('the file contains no number ranges; nothing was changed')
  return [...byPrefix.values()].map(({ prefix, carrier }) => ({ prefix, carrier }))
}

function invalidRanges(message: string): OperationError {
  return new OperationError('invalid-request', message)
}
