/**
 * rcs-pydantic, a third-party model of the KT relay, reads the golden requests to the relay and finds the fields
 * of the client's message. `npm run engines -- install --tests` installs it; without it the test is skipped.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { thirdPartyParsers, skipWithout } from '../../../../test/support/carriers/third-party-parsers.ts'
import { goldenCases, goldenFolder } from '../../../../test/support/carriers/maap-golden.ts'
import { toMaapMessageId } from './message-id.ts'

const reader = join(import.meta.dirname, '../../../../test/foreign/maap/read_relay.py')

interface ParsedRequest {
  readonly id: string
  readonly to: string
  readonly from: string
  readonly format: string
  readonly service: string
  readonly header: string
  readonly footer: string | null
  readonly expiry: number
  readonly copy: boolean
  readonly body: Readonly<Record<string, string>>
  readonly actions: readonly string[]
}

interface ClientMessage {
  readonly from: string
  readonly to: string
  readonly formatId: string
  readonly header?: string
  readonly footer?: string
  readonly copyAllowed?: string
}

const services: readonly (readonly [RegExp, string])[] = [
  [/^SS/, 'RCSSMS'],
  [/^SL/, 'RCSLMS'],
  [/^(?:SM|CM|OM)/, 'RCSMMS'],
  [/^UBR\..*image/, 'RCSITMPL'],
  [/^UBR/, 'RCSTMPL'],
]

test('rcs-pydantic reads every request to the relay', { skip: skipWithout('python') }, () => {
  const cases = goldenCases().filter(({ variant }) => variant === 'relay')
  const files = cases.map(({ name }) => join(goldenFolder, `${name}.http`))
  const output = execFileSync(thirdPartyParsers.python, [reader, ...files], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  const parsed = JSON.parse(output) as readonly ParsedRequest[]
  assert.equal(parsed.length, cases.length)
  const actions = new Set<string>()
  for (const [index, { name, request }] of cases.entries()) {
    if (name === 'relay-file') continue
    const found = parsed[index]!
    const clientMessage = request as ClientMessage
    assert.deepEqual(
      [found.from, found.to, found.format],
      [clientMessage.from, clientMessage.to, clientMessage.formatId],
      name,
    )
    // An id within the maximum length is unchanged.
    assert.equal(found.id, toMaapMessageId(found.id))
    assert.equal(found.service, services.find(([form]) => form.test(clientMessage.formatId))?.[1], name)
    assert.equal(found.header, clientMessage.header ?? '0')
    assert.equal(found.footer, clientMessage.header === '1' ? clientMessage.footer : null)
    assert.equal(found.copy, clientMessage.copyAllowed === '1')
    assert.ok(found.expiry === 1 || found.expiry === 2)
    // Every text of the client is in the body.
    for (const [, text] of JSON.stringify(request).matchAll(/"(?:text|title|description)\d?":"([^"\\]+)"/g))
      assert.ok(JSON.stringify({ ...found }).includes(text!) || hasButton(request, text!), `${name}: ${text}`)
    for (const action of found.actions) actions.add(action)
  }
  assert.deepEqual([...actions].toSorted(), [
    'calendarAction',
    'clipboardAction',
    'composeAction',
    'dialerAction',
    'mapAction',
    'urlAction',
  ])
})

/** The texts of buttons are checked by its model of a suggestion. */
function hasButton(request: object, text: string): boolean {
  return JSON.stringify(request)
    .split('"button"')
    .slice(1)
    .some((part) => part.includes(text))
}
