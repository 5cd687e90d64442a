/**
 * The simulated MMSC, a process that shares no code with the gateway, chooses its behaviour by the ending (last four digits)
 * of the recipient. Tests the outcome and the receipts of every ending in every dialect.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { jpeg, mm7Options, mmsSubmission } from '../../../../test/support/carriers/mm7.ts'
import { Program } from '../../../../test/support/processes/program.ts'
import { recorded } from '../../../../test/support/smpp/fixtures.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { Receipt, SubmitOutcome } from '../connector.ts'
import { createConnector, createInbound } from '../registry.ts'
import type { DialectName } from './dialect.ts'

type PerDialect = readonly [standard: string, skt: string, kt: string, lgu: string]
const ported = ({ portedTo }: { readonly portedTo?: string | undefined }): string =>
  portedTo === undefined ? '' : `>${portedTo}`
const everywhere = (value: string): PerDialect => [value, value, value, value]

/**
 * Outcomes of one submission after the other, and the causes of the receipts, followed by `@` and the carrier of the recipient
 * and by `>` and the carrier that the number was ported to, if known.
 */
const endings: Readonly<Record<string, { readonly outcomes: PerDialect; readonly receipts: PerDialect }>> = {
  '0001': { outcomes: everywhere('accepted'), receipts: everywhere('delivered') },
  '0002': {
    outcomes: everywhere('accepted'),
    receipts: ['refused', 'unsupported', 'no-subscriber', 'no-subscriber'],
  },
  '0003': { outcomes: everywhere('accepted'), receipts: everywhere('') },
  '0004': { outcomes: everywhere('accepted'), receipts: everywhere('delivered delivered') },
  '0005': { outcomes: everywhere('accepted'), receipts: everywhere('delivered') },
  '0006': {
    outcomes: everywhere('accepted'),
    receipts: ['timeout', 'temporary-failure', 'timeout', 'failed'],
  },
  '0007': { outcomes: everywhere('accepted'), receipts: ['refused', 'attachment', 'spam', 'refused'] },
  '0008': { outcomes: ['bad-number', 'failed', 'bad-number', 'bad-number'], receipts: everywhere('') },
  '0009': { outcomes: everywhere('throttled accepted'), receipts: everywhere('delivered') },
  '0012': {
    // KT recognizes the repeat; the others would deliver it twice, so dispatch repeats it only at KT.
    outcomes: ['unknown', 'unknown', 'unknown accepted', 'unknown'],
    receipts: everywhere('delivered'),
  },
  '0013': { outcomes: everywhere('unknown'), receipts: everywhere('') },
  '0016': {
    outcomes: everywhere('accepted'),
    receipts: ['timeout', 'temporary-failure', 'phone-off', 'failed'],
  },
  '0017': { outcomes: everywhere('unreachable accepted'), receipts: everywhere('delivered') },
  '0018': { outcomes: everywhere('unknown'), receipts: everywhere('delivered') },
  '0019': { outcomes: everywhere('accepted'), receipts: everywhere('refused') },
  '0020': {
    outcomes: everywhere('accepted'),
    receipts: ['outcome-unknown', 'temporary-failure', 'outcome-unknown', 'outcome-unknown'],
  },
  '0051': {
    outcomes: everywhere('accepted'),
    receipts: ['refused', 'unsupported', 'no-subscriber@10001>10001', 'no-subscriber>10002'],
  },
  '0052': {
    outcomes: everywhere('accepted'),
    receipts: ['refused', 'unsupported', 'no-subscriber@10003>10003', 'no-subscriber>10002'],
  },
  '0053': { outcomes: everywhere('unknown'), receipts: everywhere('') },
  '0054': { outcomes: everywhere('unknown'), receipts: everywhere('delivered') },
  '0055': { outcomes: everywhere('unknown'), receipts: everywhere('delivered') },
  '0056': {
    outcomes: everywhere('accepted'),
    receipts: ['refused', 'origin-code', 'origin-code', 'origin-code'],
  },
  '0057': { outcomes: everywhere('accepted'), receipts: everywhere('unsupported') },
  '0058': { outcomes: everywhere('unreachable'), receipts: everywhere('') },
  '0080': {
    outcomes: ['accepted', 'accepted', 'no-subscriber>10001', 'no-subscriber>10002'],
    receipts: ['delivered', 'delivered', '', ''],
  },
  '0081': {
    outcomes: ['accepted', 'accepted', 'no-subscriber>10003', 'accepted'],
    receipts: ['delivered', 'delivered', '', 'delivered'],
  },
  '0082': {
    outcomes: everywhere('accepted'),
    receipts: ['delivered', 'delivered', 'no-subscriber@10001>10001', 'no-subscriber>10002'],
  },
  '0059': { outcomes: ['failed', 'failed', 'accepted', 'failed'], receipts: everywhere('') },
}

const dialects: readonly DialectName[] = ['3gpp', 'skt', 'kt', 'lgu']
const token = 'token-of-the-reports'

suite('every ending has its outcome and its receipts', { concurrency: true }, () => {
  for (const [index, dialect] of dialects.entries())
    test(dialect, async (t) => {
      const { submit, receipts, submissions } = await open(t, dialect)
      const ids = new Map<string, string>()
      await Promise.all(
        Object.entries(endings).map(async ([ending, { outcomes }]) => {
          const seen: string[] = []
          for (let nth = 0; nth < outcomes[index]!.split(' ').length; nth++) {
            const outcome = await submit(ending)
            seen.push(outcome.kind === 'refused' ? outcome.cause + ported(outcome) : outcome.kind)
            if (outcome.kind === 'accepted') ids.set(ending, outcome.carrierId)
          }
          assert.equal(seen.join(' '), outcomes[index], ending)
        }),
      )
      const receiptsOf = (ending: string): Receipt[] =>
        receipts.filter(({ recipient }) => recipient.endsWith(ending))
      for (const [ending, expected] of Object.entries(endings)) {
        const causes = expected.receipts[index]!.split(' ').filter(Boolean)
        await waitFor(
          `${ending} to have ${causes.length} receipts`,
          () => receiptsOf(ending).length === causes.length,
        )
        const found = receiptsOf(ending).map(({ cause, carrier, portedTo }) => {
          const named = carrier === undefined || dialect === 'skt' ? cause : `${cause}@${carrier}`
          return named + ported({ portedTo })
        })
        assert.deepEqual(found, causes, ending)
        const id = ids.get(ending)
        if (id !== undefined && id !== '')
          for (const { carrierId } of receiptsOf(ending)) assert.equal(carrierId, id)
      }
      const accepted = await submissions()
      assert.ok(
        accepted.every(({ strictCharset }) => strictCharset),
        'all octets are of the charset',
      )
      const [first] = accepted.filter(({ to }) => to.endsWith('0001'))
      assert.equal(first!.subject, '제목 & <1>')
      assert.equal(first!.parts.filter(({ contentType }) => contentType === 'image/jpeg').length, 1)
      assert.ok(first!.parts.some(({ text = '' }) => text.includes('안녕하세요')))
      assert.equal(first!.originCode, dialect === '3gpp' ? null : '123456789')
    })
})

interface Recorded {
  readonly to: string
  readonly subject: string
  readonly originCode: string | null
  readonly strictCharset: boolean
  readonly parts: readonly { readonly contentType: string; readonly text?: string }[]
}

async function open(t: TestContext, dialect: DialectName) {
  const record = recorded()
  // Created late: the receiver needs the options, they need the carrier's port, and the carrier needs the URL for reports.
  const reader: { inbound: ReturnType<typeof createInbound> } = { inbound: undefined }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const result = reader.inbound!({
        method,
        path: url,
        headers,
        query: new URLSearchParams(),
        body: Buffer.concat(chunks),
      })
      record.receipts.push(...result.receipts)
      response.writeHead(result.response.status, {
        'content-type': result.response.contentType ?? 'text/plain',
      })
      response.end(result.response.body)
    })
  })
  server.listen(0, '127.0.0.1')
  await waitFor('the receiver of reports', () => server.listening)
  const reportUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}`
  const simulator = new Program({
    name: `mmsc-${dialect}`,
    script: 'simulator/src/main.ts',
    args: [
      'mm7',
      '--port',
      '0',
      '--control-port',
      '0',
      '--dialect',
      dialect,
      '--report-url',
      reportUrl,
      '--vasp-id',
      'vasp',
    ],
    environment: {},
    directory: await mkdtemp(join(tmpdir(), 'mm7-')),
  })
  simulator.start()
  const line = await waitFor('the simulator', async () =>
    (await readFile(simulator.logFile, 'utf8')).split('\n').find((text) => text.includes('"ready"')),
  )
  const ready = JSON.parse(line) as { readonly port: number; readonly controlPort: number }
  const options = {
    ...mm7Options({ dialect, partnerId: 'partner', skt: { relayId: '0002' } }),
    url: `http://127.0.0.1:${ready.port}${dialect === 'skt' ? '/mmsr41/mm7' : '/'}`,
    responseTimeoutMs: 6_000,
    window: 100,
  }
  reader.inbound = createInbound('mm7', options)
  const file = { key: 'a', bytes: jpeg(), contentType: 'image/jpeg', name: 'a.jpg' }
  const connector = createConnector('mm7', options, {
    ...record.context,
    openFile: () => Promise.resolve(file),
  })
  connector.start()
  t.after(async () => {
    await connector.stop()
    await simulator.stop()
    server.close()
    server.closeAllConnections()
  })
  const submit = (ending: string): Promise<SubmitOutcome> => {
    const body = {
      from: '0212345678',
      to: `0101234${ending}`,
      title: '제목 & <1>',
      text: '안녕하세요\n둘째 줄',
    }
    const reference = `20261115000000000C00A0000000${ending}-1-1-1`
    return connector.submit(mmsSubmission({ ...body, fileKey: ['a'], originCID: '123456789' }, { reference }))
  }
  const submissions = async (): Promise<Recorded[]> => {
    const answer = await fetch(`http://127.0.0.1:${ready.controlPort}/submissions?limit=1000`)
    return ((await answer.json()) as { readonly submissions: Recorded[] }).submissions
  }
  return { submit, receipts: record.receipts, submissions }
}
