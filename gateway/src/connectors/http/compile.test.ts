/** A wrong profile is refused when it is stored: the error names the place and what to do, and no secret. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import { loginOf, readOptions } from '../registry.ts'
import { compilePattern } from './pattern.ts'
import { maxTextLength, textAt } from './pointer.ts'

const send = { url: 'https://api.example/send', fields: { to: '{to}', text: '{text}' } }
const answer = { rules: [{ if: { status: '2..' }, outcome: 'accepted' }], id: { pointer: '/id' } }
const receipt = { id: ['/id'], status: ['/status'], values: { ok: 'delivered' } }
const secrets = { token: 'hush-hush' }

const wrong: Readonly<Record<string, readonly [object, RegExp]>> = {
  'a profile that is not known': [{ profile: 'twillio' }, /profile must be one of .*did you mean twilio\?/],
  'a value that the profile needs': [
    { profile: 'twilio' },
    /values\.accountSid is missing, which the profile twilio needs: Account SID/,
  ],
  'no request': [{ answer }, /send is required without a profile/],
  'a placeholder that is not known': [
    { send: { ...send, fields: { ref: '{refrence}' } }, answer },
    /send\.fields\.ref uses \{refrence\}, .*did you mean \{reference\}\?/,
  ],
  'a filter that is not known': [
    { send: { ...send, fields: { a: [{ b: '{to|digit}' }] } }, answer },
    /send\.fields\.a\[0\]\.b uses the filter digit; did you mean digits\?/,
  ],
  'a brace without an end': [{ send: { ...send, fields: { a: 'x{to' } }, answer }, /write \{\{ for a brace/],
  'a choice that is not known': [
    { send: { ...send, fields: { a: { $gsm: 'x', $other: 'y' } } }, answer },
    /send\.fields\.a\.\$gsm .*did you mean \$gsm7\?/,
  ],
  'an object in a form': [
    { send: { ...send, encoding: 'form', fields: { a: { b: 'c' } } }, answer },
    /send\.fields\.a must be a text or a choice/,
  ],
  'a message in the address': [
    { send: { ...send, url: 'https://api.example/{to}' }, answer },
    /send\.url uses a placeholder, which is not a value here/,
  ],
  'a message in a header': [
    { send: { ...send, headers: { 'x-t': '{text}' } }, answer },
    /send\.headers\.x-t uses/,
  ],
  'a header of the connection': [
    { send: { ...send, headers: { 'Proxy-Authorization': 'x' } }, answer },
    /send\.headers\.Proxy-Authorization must have another name: the gateway writes/,
  ],
  'another host by a header': [
    { send, answer, secrets, auth: { header: { name: 'HOST', value: 'own.example' } } },
    /auth\.header\.name must have another name: .*send\.url/,
  ],
  'a line break in a header': [
    { send: { ...send, headers: { 'x-t': '{value}' } }, answer, values: { value: 'a\r\nb: c' } },
    /send\.headers\.x-t must have printable ASCII/,
  ],
  'a host with credentials': [
    { send: { ...send, url: 'https://{host}/x' }, answer, values: { host: 'a@b' } },
    /send\.url must have a host name/,
  ],
  'a name of the message': [{ send, answer, values: { text: 'x' } }, /values\.text must have another name/],
  'a pattern that is none': [
    { send, answer: { ...answer, rules: [{ if: { '/a': '(' }, outcome: 'accepted' }] } },
    /answer\.rules\[0\]\.if\.\/a is not a regular expression/,
  ],
  'a condition that is none': [
    { send, answer: { ...answer, rules: [{ if: { stats: '200' }, outcome: 'accepted' }] } },
    /answer\.rules\[0\]\.if: stats must be status, body or a JSON Pointer/,
  ],
  'a capture without a group': [
    { send, answer: { ...answer, id: { pointer: '/id', capture: 'id' } } },
    /answer\.id\.capture must have one group/,
  ],
  'receipts of anyone': [{ send, answer, receipt }, /verify is missing/],
  'a key that is not there': [
    { send, answer, receipt, secrets, verify: { by: 'path', key: 'tokn' } },
    /verify\.key names tokn, .*did you mean token\?/,
  ],
  'a key of another kind': [
    { send, answer, receipt, secrets, verify: { by: 'ed25519', key: 'token', header: 'x-s' } },
    /Ed25519 public key/,
  ],
  'an option that is not known': [
    { send, answer: { ...answer, rule: [] } },
    /answer\.rule.*did you mean answer\.rules/,
  ],
}

suite('refused when stored', () => {
  for (const [what, [options, message]] of Object.entries(wrong))
    test(what, () => {
      assert.throws(
        () => readOptions('http', options as never),
        (error: Error) => {
          assert.match(error.message, message)
          assert.match(error.message, /^http options: /)
          assert.doesNotMatch(error.message, /hush/)
          return true
        },
      )
    })
})

test('a pattern cannot take long: those that could are refused, the rest is fast on the worst text', () => {
  for (const source of [
    '(a+)+',
    '(a|aa)*b',
    '(?:a*)*',
    '(a+){9}',
    '(?=a)a',
    '(a)\\1',
    '.*.*.*x',
    'a?'.repeat(30),
  ])
    assert.throws(() => compilePattern(source, 'p'), /^Error: p /, source)
  for (const source of [
    '.*.*x',
    '(?:ab)*c',
    '\\d+',
    'Success "(.+)"',
    '[^"]*"[^"]*',
    'a|b|c',
    '(?:0: .*)?',
  ]) {
    const pattern = compilePattern(source, 'p')
    const spent = cpuMs(() => pattern.test('a"b'.repeat(maxTextLength).slice(0, maxTextLength)))
    assert.ok(spent < 200, `${source} took ${spent} ms`)
  }
})

test('a JSON Pointer reads own properties only', () => {
  const document = JSON.parse(
    '{"a/b":{"~":[{"x":1}]},"__proto__":{"y":2},"n":null,"t":true,"o":{}}',
  ) as object
  const expected = {
    '/a~1b/~0/0/x': '1',
    '/__proto__/y': '2',
    '/n': '',
    '/t': 'true',
    '/o': '{}',
    '/none/x': '',
  }
  for (const [pointer, text] of Object.entries(expected))
    assert.equal(textAt(document, pointer), text, pointer)
  assert.equal(textAt({}, '/constructor/name'), '')
})

test('where no value names the account, its key does', () => {
  const accounts: Readonly<Record<string, (key: string) => object>> = {
    vonage: (key) => ({ values: { apiKey: key }, secrets: { apiSecret: key } }),
    messagebird: (key) => ({ secrets: { accessKey: key } }),
    telnyx: (key) => ({ secrets: { apiKey: key } }),
    africastalking: (key) => ({ values: { username: key }, secrets: { apiKey: key } }),
    clickatell: (key) => ({ secrets: { apiKey: key } }),
  }
  for (const [profile, account] of Object.entries(accounts)) {
    const login = (key: string): string | null => loginOf('http', { profile, ...account(key) })
    assert.notEqual(login('one'), login('two'), profile)
    assert.equal(login('one'), login('one'), profile)
    assert.doesNotMatch(login('one')!, /one/, profile)
    assert.equal(login('env:NOT_SET_HERE'), null, profile)
  }
})

test('the login is the account at its address, whatever the secrets are', () => {
  const twilio = { profile: 'twilio', secrets: { authToken: 'env:NOT_SET_ANYWHERE' } }
  const login = (accountSid: string): string | null => loginOf('http', { ...twilio, values: { accountSid } })
  assert.notEqual(login('AC1'), null)
  assert.equal(login('AC1'), loginOf('http', { ...twilio, secrets: {}, values: { accountSid: 'AC1' } }))
  assert.notEqual(login('AC1'), login('AC2'))
})
