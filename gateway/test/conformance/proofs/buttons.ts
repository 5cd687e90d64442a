/** The button types of the simple style: which fields each accepts, requires and rejects, and what it becomes. */
import assert from 'node:assert/strict'
import { accepts, refuses } from '../api-assertions.ts'
import { submittedAs } from '../carrier.ts'
import { card } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { buttonCases } from '../rows/rcs-objects.ts'

for (const [type, { code, fields, optional = {}, action }] of Object.entries(buttonCases)) {
  prove(`button.${type}`, async () => {
    const values = { ...fields, ...optional }
    const right = Object.fromEntries(Object.entries(values).map(([name, [value]]) => [name, value]))
    const button = (change: object = {}): object =>
      card('SL000000', { text: 'x', button: [{ type, name: 'tap', ...right, ...change }] })
    const { msgKey } = (await accepts('rcs', button())).body
    const { buttons } = (await submittedAs(msgKey!)) as {
      buttons: { suggestions: { action: Record<string, Record<string, unknown>> }[] }[]
    }
    const [outer, inner] = action.split('.') as [string, string]
    const given = buttons[0]!.suggestions[0]!.action
    assert.equal(given.displayText, 'tap')
    assert.ok(
      given[outer] !== undefined && inner in given[outer],
      `${JSON.stringify(given)} has no ${action}`,
    )
    await refuses('rcs', button({ name: undefined }), 'A427')
    const at = 'content.standalone.button[0]'
    for (const name of Object.keys(fields))
      await refuses('rcs', button({ [name]: undefined }), code, `${at}.${name}`)
    for (const name of Object.keys(optional)) await accepts('rcs', button({ [name]: undefined }))
    for (const [name, [, wrong]] of Object.entries(values))
      await refuses('rcs', button({ [name]: wrong }), code, `${at}.${name}`)
    const foreign =
      type === 'CALENDAR' ? { url: 'https://example.com' } : { startTime: '2026-12-01T09:00:00+09:00' }
    await refuses('rcs', button(foreign), code)
  })
}

prove('button.unknown', async () => {
  for (const type of ['WL', 'url', '', undefined, 1]) {
    await refuses('rcs', card('SL000000', { text: 'x', button: [{ type, name: 'tap' }] }), 'A426')
  }
})
