import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { AccessToken, readTokenText, type LoginResult, type NoToken } from './access-token.ts'

const reconnectMinMs = 100
const reconnectMaxMs = 800
const loginPauseMs = 5_000
const maxLifetimeMs = 20_000
const loginMs = 10

type Mode = 'issues' | 'fails' | 'refuses' | 'throws'

/** Fake carrier with a virtual clock. */
class Carrier {
  mode: Mode = 'issues'
  lifetimeMs: number | null = 10_000
  /** The pause that a response to a failed login requests. */
  retryAfterMs: number | null = null
  credentials = 'first'
  accepts: (token: string) => boolean = (token) => this.#issued.has(token)
  readonly logins: { readonly at: number; readonly endsAt: number; readonly mode: Mode }[] = []
  readonly sends: { readonly token: string; readonly at: number }[] = []
  readonly results: LoginResult[] = []
  readonly token: AccessToken
  readonly #context: TestContext
  readonly #issued = new Map<string, { readonly until: number }>()
  #now = 0

  constructor(t: TestContext) {
    this.#context = t
    t.mock.timers.reset()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    t.mock.method(performance, 'now', () => this.#now)
    this.token = new AccessToken({
      logIn: () => this.#logIn(),
      marginMs: 2_000,
      lifetimes: { defaultMs: 5_000, maxMs: maxLifetimeMs },
      reconnectMinMs,
      reconnectMaxMs,
      loginPauseMs,
      onResult: (result) => this.results.push(result),
    })
  }

  /** Advances in steps, so that the effects of each timer happen at its time. */
  async pass(ms: number): Promise<void> {
    await turn()
    for (let left = ms; left > 0; left -= loginMs) {
      this.#now += loginMs
      this.#context.mock.timers.tick(loginMs)
      await turn()
    }
  }

  /** Tokens issued so far are refused. */
  revoke(): void {
    this.#issued.clear()
  }

  use(): Promise<'done' | 'refused' | NoToken> {
    const send = (token: string): Promise<'done' | 'refused'> => {
      this.sends.push({ token, at: this.#now })
      const { until } = this.#issued.get(token) ?? { until: Infinity }
      assert.ok(this.#now < until, 'a token is not used after its end')
      return Promise.resolve(this.accepts(token) ? 'done' : 'refused')
    }
    return this.token.use(send, (result) => (result === 'refused' ? '401' : null))
  }

  /** Calls `use` while time passes. */
  async useAndWait(): Promise<Awaited<ReturnType<Carrier['use']>>> {
    const result = this.use()
    await this.pass(2 * loginMs)
    return result
  }

  #logIn(): Promise<LoginResult> {
    const { mode, lifetimeMs, retryAfterMs, credentials } = this
    if (mode === 'throws') {
      this.logins.push({ at: this.#now, endsAt: this.#now, mode })
      throw new Error('any error of a connector')
    }
    this.logins.push({ at: this.#now, endsAt: this.#now + loginMs, mode })
    const nth = this.logins.length
    return new Promise((resolve) => {
      setTimeout(() => {
        if (mode !== 'issues')
          return resolve({ kind: 'no-token', code: mode, isLoginRefused: mode === 'refuses', retryAfterMs })
        const authorization = `${credentials}-${nth}`
        const until = this.#now + Math.min(lifetimeMs ?? Infinity, maxLifetimeMs)
        this.#issued.set(authorization, { until })
        resolve({ kind: 'token', authorization, lifetimeMs })
      }, loginMs)
    })
  }
}

test('concurrent callers log in once, and once again when the carrier refuses the token', async (t) => {
  const carrier = new Carrier(t)
  const firstCalls = Promise.all(Array.from({ length: 20 }, () => carrier.use()))
  await carrier.pass(loginMs)
  assert.ok((await firstCalls).every((result) => result === 'done'))
  assert.equal(carrier.logins.length, 1)
  carrier.revoke()
  const laterCalls = Promise.all(Array.from({ length: 20 }, () => carrier.use()))
  await carrier.pass(loginMs)
  assert.ok((await laterCalls).every((result) => result === 'done'))
  assert.deepEqual([carrier.logins.length, carrier.sends.length], [2, 60])
})

test('renews the token before it expires, within the maximum lifetime', async (t) => {
  const carrier = new Carrier(t)
  for (const [lifetimeMs, renewedMs] of [
    [10_000, 8_000],
    [1_000, 500],
    [null, 3_000],
    [1e15, maxLifetimeMs - 2_000],
  ] as const) {
    carrier.lifetimeMs = lifetimeMs
    const before = carrier.logins.length
    void carrier.token.renew()
    await carrier.pass(renewedMs)
    assert.equal(carrier.logins.length, before + 1, String(lifetimeMs))
    assert.ok(carrier.token.isValid)
    await carrier.pass(2 * loginMs)
    assert.equal(carrier.logins.length, before + 2, String(lifetimeMs))
    assert.ok(carrier.token.isValid)
  }
})

test('uses the old token until it expires while renewals fail', async (t) => {
  const carrier = new Carrier(t)
  await carrier.useAndWait()
  carrier.mode = 'fails'
  await carrier.pass(9_500)
  assert.ok(carrier.logins.length > 2)
  assert.equal(await carrier.useAndWait(), 'done')
  await carrier.pass(1_000)
  const failed = await carrier.useAndWait()
  assert.ok(failed !== 'done' && failed !== 'refused' && failed.code === 'fails')
  carrier.mode = 'issues'
  await carrier.pass(reconnectMaxMs + loginMs)
  assert.equal(await carrier.useAndWait(), 'done')
})

test('keeps the longer of the requested pause and its own after a failed login', async (t) => {
  const carrier = new Carrier(t)
  carrier.mode = 'fails'
  carrier.retryAfterMs = 0
  carrier.token.start()
  // The longest pauses are 100, 200, 400 and then 800 ms, the shortest half of them.
  await carrier.pass(4_000)
  const count = carrier.logins.length
  assert.ok(count >= 6 && count <= 13, `${count} logins in 4 s`)
  carrier.retryAfterMs = 2_000
  await carrier.pass(reconnectMaxMs + loginMs)
  const loginsBefore = carrier.logins.length
  await carrier.pass(1_000)
  assert.equal(carrier.logins.length, loginsBefore)
  await carrier.pass(1_100)
  assert.equal(carrier.logins.length, loginsBefore + 1)
})

test('tokens that expire immediately are not renewed without a pause', async (t) => {
  const carrier = new Carrier(t)
  carrier.lifetimeMs = 0
  carrier.token.start()
  await carrier.pass(1_000)
  assert.ok(carrier.logins.length <= 1_000 / reconnectMinMs, `${carrier.logins.length} logins in 1 s`)
})

test('a refused login is not repeated before its pause', async (t) => {
  const carrier = new Carrier(t)
  carrier.mode = 'refuses'
  for (let nth = 0; nth < 100; nth++) {
    const result = await carrier.useAndWait()
    assert.ok(result !== 'done' && result !== 'refused' && result.isLoginRefused)
    assert.equal((await carrier.token.renew()).kind, 'no-token')
  }
  assert.equal(carrier.logins.length, 1)
  await carrier.pass(loginPauseMs)
  assert.equal(carrier.logins.length, 2)
})

test('a carrier that refuses its own tokens gets two requests per pause', async (t) => {
  const carrier = new Carrier(t)
  carrier.accepts = () => false
  for (let nth = 0; nth < 5; nth++) {
    const result = await carrier.useAndWait()
    assert.deepEqual(result, { kind: 'no-token', code: '401', isLoginRefused: true })
  }
  assert.deepEqual([carrier.logins.length, carrier.sends.length], [2, 2])
  assert.deepEqual(
    carrier.results.map(({ kind }) => kind),
    ['token', 'token', 'no-token'],
  )
})

test('keeps the new token when a replaced token is refused', async (t) => {
  const carrier = new Carrier(t)
  await carrier.useAndWait()
  let refuse!: (result: string) => void
  const slow = carrier.token.use(
    () => new Promise<string>((resolve) => (refuse = resolve)),
    (result) => (result === 'refused' ? '401' : null),
  )
  await turn()
  carrier.revoke()
  assert.equal(await carrier.useAndWait(), 'done')
  refuse('refused')
  await turn()
  // The second request uses the token of the other call, which is revoked in the meantime.
  carrier.revoke()
  assert.equal(await carrier.useAndWait(), 'done')
  refuse('refused')
  assert.deepEqual(await slow, { kind: 'no-token', code: '401', isLoginRefused: false })
  assert.equal(await carrier.useAndWait(), 'done')
  assert.equal(carrier.logins.length, 3)
})

test('credentials that change while it runs are used by the next login', async (t) => {
  const carrier = new Carrier(t)
  await carrier.useAndWait()
  carrier.credentials = 'second'
  carrier.revoke()
  assert.equal(await carrier.useAndWait(), 'done')
  assert.match(carrier.sends.at(-1)!.token, /^second-/)
})

test('an error of the connector is a failed login and causes no unhandled rejection', async (t) => {
  const carrier = new Carrier(t)
  carrier.mode = 'throws'
  const result = await carrier.useAndWait()
  assert.ok(result !== 'done' && result !== 'refused' && result.error?.message === 'any error of a connector')
  carrier.mode = 'issues'
  await carrier.pass(reconnectMinMs + loginMs)
  assert.equal(await carrier.useAndWait(), 'done')
})

test('waitForRenewal waits through failures for a new token, or until its signal aborts', async (t) => {
  const carrier = new Carrier(t)
  const over = new AbortController()
  carrier.mode = 'fails'
  let isNew = false
  const renewal = carrier.token.waitForRenewal(over.signal).then(() => (isNew = true))
  await carrier.pass(3_000)
  assert.equal(isNew, false)
  carrier.mode = 'issues'
  await carrier.pass(reconnectMaxMs + loginMs)
  await renewal
  carrier.mode = 'fails'
  const ended = carrier.token.waitForRenewal(over.signal)
  over.abort()
  await ended
  // The wait ends immediately if the signal is already aborted.
  await carrier.token.waitForRenewal(over.signal)
})

test('a request can log in after a stop, and the token is not renewed', async (t) => {
  const carrier = new Carrier(t)
  await carrier.useAndWait()
  carrier.token.stop()
  carrier.revoke()
  assert.equal(await carrier.useAndWait(), 'done')
  await carrier.pass(30_000)
  assert.deepEqual([carrier.logins.length, carrier.results.length], [2, 1])
})

test('only printable ASCII without spaces is a token', () => {
  for (const value of [undefined, null, 7, '', ' ', 'a b', 'a\n', '토큰', 'x'.repeat(8_193)])
    assert.equal(readTokenText(value), null)
  assert.equal(readTokenText('a.b-c_~'), 'a.b-c_~')
})

test('runs one login at a time with pauses under random events', async (t) => {
  const randomEvent = fc.oneof(
    { weight: 4, arbitrary: fc.record({ pass: fc.integer({ min: 1, max: 120 }) }) },
    { weight: 4, arbitrary: fc.record({ calls: fc.integer({ min: 1, max: 5 }) }) },
    fc.record({ mode: fc.constantFrom<Mode>('issues', 'issues', 'fails', 'refuses', 'throws') }),
    fc.record({ lifetimeMs: fc.constantFrom(null, 20, 500, 3_000, 1e12) }),
    fc.record({ revoke: fc.constant(true) }),
    fc.record({ renew: fc.constant(true) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(randomEvent, { maxLength: 25 }), async (events) => {
      const carrier = new Carrier(t)
      const calls: ReturnType<Carrier['use']>[] = []
      for (const event of events) {
        if ('pass' in event) await carrier.pass(event.pass * loginMs)
        else if ('calls' in event) calls.push(...Array.from({ length: event.calls }, () => carrier.use()))
        else if ('revoke' in event) carrier.revoke()
        else if ('renew' in event) void carrier.token.renew()
        else Object.assign(carrier, event)
        await turn()
      }
      carrier.mode = 'issues'
      carrier.lifetimeMs = 10_000
      await carrier.pass(loginPauseMs + 2 * loginMs)
      for (const result of await Promise.all(calls)) assert.notEqual(result, 'refused')
      assert.ok(carrier.sends.length <= 2 * calls.length)
      for (const [nth, login] of carrier.logins.entries()) {
        const before = carrier.logins[nth - 1]
        if (before === undefined) continue
        const pauseMs = {
          issues: 0,
          fails: reconnectMinMs / 2,
          throws: reconnectMinMs / 2,
          refuses: loginPauseMs,
        }
        assert.ok(login.at >= before.endsAt + pauseMs[before.mode], JSON.stringify(carrier.logins))
      }
      assert.equal(await carrier.useAndWait(), 'done')
      carrier.token.stop()
    }),
    { numRuns: 50 },
  )
})
