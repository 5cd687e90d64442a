/**
 * Generates text that only a hostile carrier sends: up to 16 KB, with U+0000, lone surrogates and characters
 * of every kind.
 */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'

const strange = fc.string({
  unit: fc.constantFrom(
    '\0',
    '\ud800',
    '\udc00',
    '\ufeff',
    '"',
    '\\',
    '{',
    '}',
    ' ',
    '0',
    'A',
    'İ',
    '\u2028',
    '😀',
  ),
  maxLength: 40,
})
const huge = fc
  .tuple(strange, fc.constantFrom(129, 2_700, 8_191, 16_000))
  .map(([text, length]) => text + incompressible(length))

export const hostileText: fc.Arbitrary<string> = fc.oneof(strange, fc.string({ unit: 'binary' }), huge)

/** PostgreSQL compresses index entries, so a huge value must not be compressible. */
export function incompressible(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length)
}
