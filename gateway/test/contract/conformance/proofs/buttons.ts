import assert from 'node:assert/strict'
import { assertAccepted, assertRejected } from '../api-assertions.ts'
import { findSubmittedContent } from '../carrier.ts'
import { card } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { buttonCases } from '../rows/rcs-objects.ts'

for (const [type, { code, fields, optional = {}, action }] of Object.entries(buttonCases)) {
  prove(`button.${type}`, async () => {
    const values = { ...fields, ...optional }
    const right = Object.fromEntries(Object.entries(values).map(([name, [value]]) => [name, value]))
    const button = (change: object = {}): object =>
      card('SL000000', { text: 'x', button: [{ type, name: 'tap', ...right, ...change }] })
    const { msgKey } = (await assertAccepted('rcs', button())).body
    const { buttons } = (await findSubmittedContent(msgKey!)) as {
      buttons: { suggestions: { action: Record<string, Record<string, unknown>> }[] }[]
    }
    const [outer, inner] = action.split('.') as [string, string]
    const given = buttons[0]!.suggestions[0]!.action
    assert.equal(given.displayText, 'tap')
    assert.ok(
      given[outer] !== undefined && inner in given[outer],
      `${JSON.stringify(given)} has no ${action}`,
    )
    await assertRejected('rcs', button({ name: undefined }), 'A427')
    const at = 'content.standalone.button[0]'
    for (const name of Object.keys(fields))
      await assertRejected('rcs', button({ [name]: undefined }), code, `${at}.${name}`)
    for (const name of Object.keys(optional)) await assertAccepted('rcs', button({ [name]: undefined }))
    for (const [name, [, wrong]] of Object.entries(values))
      await assertRejected('rcs', button({ [name]: wrong }), code, `${at}.${name}`)
    const fieldOfOtherType =
      type === 'CALENDAR' ? { url: 'https://example.com' } : { startTime: '2026-12-01T09:00:00+09:00' }
    await assertRejected('rcs', button(fieldOfOtherType), code)
  })
}

prove('button.unknown', async () => {
  for (const type of ['WL', 'url', '', undefined, 1]) {
    await assertRejected('rcs', card('SL000000', { text: 'x', button: [{ type, name: 'tap' }] }), 'A426')
  }
})
