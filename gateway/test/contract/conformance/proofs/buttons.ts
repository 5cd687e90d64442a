import assert from 'node:assert/strict'
import { assertAccepted, assertRejected } from '../api-assertions.ts'
import { findSubmittedContent } from '../carrier.ts'
import { card } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { buttonCases } from '../rows/rcs-objects.ts'

const at = 'content.standalone.button[0]'

/** Returns the field with this name in an object or in one of its objects. */
function findField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, name)) return (value as Readonly<Record<string, unknown>>)[name]
  return Object.values(value)
    .map((inner) => findField(inner, name))
    .find((found) => found !== undefined)
}

for (const [type, { code, fields, optional = {}, action }] of Object.entries(buttonCases)) {
  const values = { ...fields, ...optional }
  const right = Object.fromEntries(Object.entries(values).map(([name, [value]]) => [name, value]))
  const button = (change: object = {}): object =>
    card('SL000000', { text: 'x', button: [{ type, name: 'tap', ...right, ...change }] })
  const findAction = async (): Promise<Record<string, Record<string, unknown>>> => {
    const { msgKey } = (await assertAccepted('rcs', button())).body
    const { buttons } = (await findSubmittedContent(msgKey!)) as {
      buttons: { suggestions: { action: Record<string, Record<string, unknown>> }[] }[]
    }
    return buttons[0]!.suggestions[0]!.action
  }

  prove(`button.${type}`, async () => {
    const [outer, inner] = action.split('.') as [string, string]
    const given = await findAction()
    assert.equal(given.displayText, 'tap')
    assert.ok(
      given[outer] !== undefined && inner in given[outer],
      `${JSON.stringify(given)} has no ${action}`,
    )
    await assertRejected('rcs', button({ name: undefined }), 'A427')
    for (const name of Object.keys(fields))
      await assertRejected('rcs', button({ [name]: undefined }), code, `${at}.${name}`)
    for (const name of Object.keys(optional)) await assertAccepted('rcs', button({ [name]: undefined }))
    for (const [name, [, wrong]] of Object.entries(values))
      await assertRejected('rcs', button({ [name]: wrong }), code, `${at}.${name}`)
    const fieldOfOtherType =
      type === 'CALENDAR' ? { url: 'https://example.com' } : { startTime: '2026-12-01T09:00:00+09:00' }
    await assertRejected('rcs', button(fieldOfOtherType), code)
  })

  prove(`button.${type}.name`, async () => {
    assert.equal((await findAction()).displayText, 'tap')
    for (const name of [undefined, '', 1]) await assertRejected('rcs', button({ name }), 'A427', `${at}.name`)
  })

  for (const [name, [value, wrong]] of Object.entries(values)) {
    prove(`button.${type}.${name}`, async () => {
      assert.equal(String(findField(await findAction(), name)), value)
      if (name in optional) await assertAccepted('rcs', button({ [name]: undefined }))
      else await assertRejected('rcs', button({ [name]: undefined }), code, `${at}.${name}`)
      await assertRejected('rcs', button({ [name]: wrong }), code, `${at}.${name}`)
      await assertRejected('rcs', button({ [name]: 1 }), 'A406', `${at}.${name}`)
    })
  }
}

prove('button.unknown', async () => {
  for (const type of ['WL', 'url', '', undefined, 1]) {
    await assertRejected('rcs', card('SL000000', { text: 'x', button: [{ type, name: 'tap' }] }), 'A426')
  }
})
