/**
 * What the RCS tests share: valid values, and assertions for accepted and refused bodies. Only tests may
 * import it.
 */
import assert from 'node:assert/strict'
import { requireValid } from '../../../src/channels/issues.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { checkContent } from '../../../src/channels/rcs/check.ts'
import type { Entry } from '../../../src/channels/rcs/entry.ts'
import type { Format } from '../../../src/channels/rcs/formats.ts'
import type { RcsButton } from '../../../src/channels/rcs/schema.ts'

export const image = 'maapfile://BR.brand.20260101000000.001'
export const letters = (length: number): string => '가'.repeat(length)
export const entryOf = (formatId: string, rest: Partial<Entry>): Entry => ({
  from: '15881234',
  formatId,
  ...rest,
})
/** The images of a carrier-standard body of the format. */
export const imagesOf = ({ image: size, cards }: Format): Record<string, string> =>
  size === null
    ? {}
    : Object.fromEntries(times(cards, (index) => [cards === 1 ? 'media' : `media${index + 1}`, image]))
export const dial = (name = 'Call'): RcsButton => ({ type: 'DIAL', name, phoneNumber: '15881234' })
export const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

export function takes(entry: Entry): void {
  assert.doesNotThrow(() => requireValid((issues) => checkContent(entry, '', issues)))
}

export function refuses(entry: Entry, code: string, path: string, reason = /./): void {
  throwsProblem(() => requireValid((issues) => checkContent(entry, '', issues)), code, path, reason)
  throwsProblem(
    () => requireValid((issues) => checkContent(entry, 'messageFlow[1].rcs.', issues)),
    code,
    `messageFlow[1].rcs.${path}`,
    reason,
  )
}

export function throwsProblem(run: () => void, code: string, path: string, reason = /./): void {
  assert.throws(run, (error: unknown) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(`${error.code} ${error.message}`.split("':")[0], `${code} Invalid or empty '${path}`)
    assert.match(error.message.slice(error.message.indexOf("':")), reason)
    return true
  })
}
