import { describe } from '../src/codes.ts'
import {
  AuthenticationError,
  InvalidRequestError,
  PermissionError,
  Postern,
  receiveWebhook,
  type ClientOptions,
} from '../src/index.ts'

export interface ScenarioSettings {
  readonly baseUrl: string
  readonly account: { readonly clientId: string; readonly password: string }
  /** Limited to 10 sends per second. */
  readonly slowAccount: { readonly clientId: string; readonly password: string }
  /** Has only the scope `send`. */
  readonly sendKey: string
  readonly fullKey: string
  readonly webhook: {
    readonly secret: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
  /** An image for MMS, in base64. */
  readonly image: string
}

type Fetch = typeof globalThis.fetch

const sender = '0212345678'
/** Sandbox number: the last four digits select the result. */
const delivered = '01000000001'

function expect(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}

async function catchError(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error,
  )
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const endsAt = performance.now() + 20_000; !(await condition());) {
    expect(performance.now() < endsAt, 'the condition was not met within 20 s')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Returns a `fetch` that handles the first matching request with `instead`. */
function interceptOnce(
  matches: (url: string) => boolean,
  instead: (send: () => Promise<Response>, init: RequestInit) => Promise<Response>,
): Fetch {
  let done = false
  return (input, init) => {
    const send = (): Promise<Response> => fetch(input, init)
    if (done || !matches(input as string)) return send()
    done = true
    return instead(send, init!)
  }
}

/**
 * Checks the client against a real gateway. Uses only the package and globals that all runtimes have. Returns
 * one line for each check, "ok …" or "FAILED …".
 */
export async function runScenario(settings: ScenarioSettings): Promise<string[]> {
  const { baseUrl, account } = settings
  const options: ClientOptions = { baseUrl, credentials: account }
  const client = new Postern(options)
  const sent = new Map<string, string>()

  const checks: Readonly<Record<string, () => Promise<void>>> = {
    'sends a message': async () => {
      const { msgKey, ref } = await client.send.sms({
        from: sender,
        to: delivered,
        text: 'Hello',
        ref: 'plain',
      })
      expect(ref === 'plain', `ref is ${ref}`)
      sent.set(msgKey, 'plain')
    },
    'sends once when the response is lost': async () => {
      const lossy = interceptOnce(
        (url) => url.includes('/send/'),
        async (send) => {
          await send()
          throw new TypeError('connection reset')
        },
      )
      const { msgKey } = await new Postern({ ...options, fetch: lossy }).send.sms({
        from: sender,
        to: delivered,
        text: 'Hello',
        ref: 'lost',
      })
      sent.set(msgKey, 'lost')
    },
    'sends without a key': async () => {
      let keyed = false
      const recording: Fetch = (input, init) => {
        keyed ||= new Headers(init?.headers).has('idempotency-key')
        return fetch(input, init)
      }
      const { msgKey } = await new Postern({ ...options, fetch: recording }).send.sms(
        { from: sender, to: delivered, text: 'Hello', ref: 'keyless' },
        { idempotencyKey: null },
      )
      expect(!keyed, 'the send had a key')
      sent.set(msgKey, 'keyless')
    },
    'renews a rejected token': async () => {
      let tokens = 0
      const refused = interceptOnce(
        (url) => url.includes('/send/'),
        (_, init) =>
          fetch(`${baseUrl}/v1/send/sms`, {
            ...init,
            headers: { ...(init.headers as Record<string, string>), authorization: 'Bearer wrong' },
          }),
      )
      const counting: Fetch = (input, init) => {
        if ((input as string).includes('/auth/token')) tokens++
        return refused(input, init)
      }
      const { msgKey } = await new Postern({ ...options, fetch: counting }).send.sms({
        from: sender,
        to: delivered,
        text: 'Hello',
        ref: 'renewed',
      })
      sent.set(msgKey, 'renewed')
      expect(tokens === 2, `${tokens} tokens were requested`)
    },
    'waits for the rate limit': async () => {
      let limited = 0
      const counting: Fetch = async (input, init) => {
        const response = await fetch(input, init)
        if (response.status === 429) limited++
        return response
      }
      const slow = new Postern({ baseUrl, credentials: settings.slowAccount, fetch: counting })
      const messages = Array.from({ length: 30 }, (_, index) => ({
        from: sender,
        to: delivered,
        text: 'Hello',
        ref: `slow-${index}`,
      }))
      const keys = new Set<string>()
      const from = performance.now()
      for await (const { msgKey, error } of slow.send.all('sms', messages)) {
        if (error !== undefined) throw error
        keys.add(msgKey)
      }
      expect(keys.size === 30, `${keys.size} messages were accepted`)
      // A burst of ten, then ten per second.
      expect(performance.now() - from >= 1_900, 'the limit was not in force')
      expect(limited < 30, `${limited} responses were 429`)
    },
    'finds messages and their results': async () => {
      const since = new Date(Date.now() - 600_000)
      const [[msgKey]] = sent as unknown as [[string]]
      await until(async () => (await client.reports.get(msgKey)).state === 'closed')
      const { reports } = await client.reports.get(msgKey)
      expect(reports.at(-1)?.reportCode === '10000', JSON.stringify(reports))
      expect(describe('10000')?.outcome === 'delivered', 'the code has no description')
      const { steps } = await client.messages.get(msgKey)
      expect(steps.length === 1, `${steps.length} steps`)
      const found: string[] = []
      for await (const message of client.messages.list({ since, ref: 'plain', to: delivered }))
        found.push(message.msgKey)
      expect(found.join() === msgKey, found.join())
      const unknown = await client.reports.get('2026111500000012300K3V8Q2M7XDJ4T')
      expect(unknown.state === 'unknown' && unknown.reports.length === 0, String(unknown.state))
    },
    'polls every report once and none again after acknowledgement': async () => {
      const found: string[] = []
      for await (const { msgKey, ref, reportCode } of client.reports.poll({ intervalMs: 100 })) {
        expect(sent.get(msgKey) === ref && reportCode === '10000', `${ref}: ${reportCode}`)
        found.push(ref)
        if (found.length === sent.size) break
      }
      // The loop ended within the batch, so it is delivered again.
      const again: string[] = []
      for await (const { ref } of client.reports.poll({ untilEmpty: true })) again.push(ref)
      for await (const { ref } of client.reports.poll({ untilEmpty: true })) found.push(`twice: ${ref}`)
      expect(found.toSorted().join() === [...sent.values()].toSorted().join(), found.join())
      expect(again.length > 0, 'the unacknowledged batch was not delivered again')
    },
    'follows the stream as a consumer': async () => {
      const found: string[] = []
      const options = { consumer: 'scenario', untilEmpty: true }
      for await (const { items } of client.reports.follow(options)) found.push(...items.map(({ ref }) => ref))
      expect(found.toSorted().join() === [...sent.values()].toSorted().join(), found.join())
      for await (const { items } of client.reports.follow(options))
        throw new Error(`${items.length} reports again`)
      for await (const { text } of client.replies.poll({ untilEmpty: true }))
        throw new Error(`a reply: ${text}`)
    },
    'an error is a class with its code, field and request ID': async () => {
      const error = await catchError(client.send.sms({ from: sender, to: 'invalid', text: 'Hello' }))
      expect(error instanceof InvalidRequestError, String(error))
      const { code, field, requestId, status } = error as InvalidRequestError
      expect(
        code === 'A306' && field === 'to' && requestId !== undefined && status === 400,
        `${code} ${field} ${requestId}`,
      )
      const destinations = [{ to: 'invalid' }]
      const messageFlow = [{ sms: { from: sender, text: 'Hello' } }]
      const omni = await catchError(client.send.omni({ destinations, messageFlow }))
      expect(omni instanceof InvalidRequestError && omni.code === 'A306', String(omni))
      const wrong = { clientId: account.clientId, password: 'wrong' }
      const refused = await catchError(new Postern({ baseUrl, credentials: wrong }).send.cancel('none'))
      expect(refused instanceof AuthenticationError && refused.code === 'A100', String(refused))
    },
    'an API key needs no token': async () => {
      const keyed = new Postern({ baseUrl, credentials: { apiKey: settings.sendKey } })
      await keyed.send.dryRun('sms', { from: sender, to: delivered, text: 'Hello' })
      const error = await catchError(keyed.reports.get('none'))
      expect(error instanceof PermissionError && error.code === 'A113', String(error))
    },
    'a dry run returns its problems': async () => {
      const good = await client.send.dryRun('sms', { from: sender, to: delivered, text: 'Hello' })
      expect(good.code === 'A000' && good.data.destinations[0]?.steps.length === 1, good.result)
      const bad = await client.send.dryRun('sms', { from: sender, to: 'invalid', text: 'Hello' })
      expect(bad.code === 'A306' && bad.data.destinations.length === 1, bad.result)
    },
    'uploads an image and sends it': async () => {
      const content = Uint8Array.from(atob(settings.image), (character) => character.charCodeAt(0))
      const { fileKey } = await client.files.create({ serviceType: 'MMS' }, { content, name: 'image.jpg' })
      const { msgKey } = await client.send.mms({
        from: sender,
        to: delivered,
        text: 'Hello',
        fileKey: [fileKey],
      })
      expect(msgKey !== '', 'no msgKey')
      await client.files.delete(fileKey)
    },
    'schedules a message and cancels it although the response is lost': async () => {
      let lost = false
      const lossy: Fetch = async (input, init) => {
        const response = await fetch(input, init)
        if (lost || init?.method !== 'DELETE' || !response.ok) return response
        lost = true
        throw new TypeError('connection reset')
      }
      const client = new Postern({ ...options, fetch: lossy })
      const { msgKey } = await client.send.sms(
        { from: sender, to: delivered, text: 'Hello' },
        { sendAt: new Date(Date.now() + 3_600_000), ttlSeconds: 600 },
      )
      // A message can be cancelled only after it is recorded, shortly after acceptance.
      await until(() =>
        client.send.cancel(msgKey).then(
          () => true,
          () => false,
        ),
      )
      expect(lost, 'no response was lost')
    },
    'sends a batch of two uploads, one of which loses its response': async () => {
      const lossy = interceptOnce(
        (url) => url.includes('/recipients/'),
        async (send) => {
          await send()
          throw new TypeError('connection reset')
        },
      )
      const { batches } = new Postern({ ...options, fetch: lossy })
      const messageFlow = [{ sms: { from: sender, text: 'Hello #{name}' } }]
      const { batchId } = await batches.create({ ref: 'batch', messageFlow })
      await batches.upload(batchId, [{ to: delivered, ref: 'line "1"', replaceWords: { name: 'Kim' } }])
      const file = new Blob([`to,ref,name\n01000000002,line 2,Lee\n${delivered},line 3,Sun\n`])
      const uploaded = await batches.uploadFile(batchId, [new Uint8Array(await file.arrayBuffer())], {
        format: 'csv',
        firstPart: 2,
      })
      expect(uploaded.parts === 1 && uploaded.lines === 2, JSON.stringify(uploaded))
      await batches.check(batchId)
      const checked = await batches.waitUntilChecked(batchId, { intervalMs: 100 })
      expect(checked.state === 'ready' && checked.counts.duplicate === 1, JSON.stringify(checked))
      await batches.start(batchId)
      const { counts } = await batches.waitUntilEnded(batchId, { intervalMs: 100 })
      expect(counts.messages === 2 && counts.open === 0, JSON.stringify(counts))
      const results: string[] = []
      for await (const { part, line, ref, msgKey, reportCode } of batches.results(batchId))
        results.push([part, line, ref, msgKey !== undefined, reportCode].join())
      const expected = ['1,1,line "1",true,10000', '2,1,line 2,true,23001', '2,2,line 3,false,']
      expect(results.join() === expected.join(), results.join())
      const listed: string[] = []
      for await (const batch of batches.list({ ref: 'batch' })) listed.push(batch.batchId)
      expect(listed.includes(batchId), listed.join())
    },
    'verifies and acknowledges a webhook push': async () => {
      const { secret, headers, body } = settings.webhook
      const push = (text: string): Request =>
        new Request('http://receiver.example/', { method: 'POST', headers, body: text })
      let seen = ''
      const good = await receiveWebhook(
        push(body),
        { secret },
        ({ report }) => void (seen = report?.msgKey ?? ''),
      )
      const acknowledged = (await good.json()) as { msgKey: string }
      expect(good.status === 200 && seen !== '' && acknowledged.msgKey === seen, `${good.status} ${seen}`)
      const forged = await receiveWebhook(
        push(body.replace('10000', '10001')),
        { secret },
        () => void (seen = 'forged'),
      )
      expect(forged.status === 401 && seen !== 'forged', `${forged.status} for a forged push`)
    },
  }

  const lines: string[] = []
  for (const [name, check] of Object.entries(checks)) {
    const from = performance.now()
    try {
      await check()
      lines.push(`ok ${name} (${Math.round(performance.now() - from)} ms)`)
    } catch (error) {
      lines.push(
        `FAILED ${name}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
      )
    }
  }
  return lines
}
