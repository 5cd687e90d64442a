import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { behaviourFor, behaviours, type Behaviour } from './mm7/behaviours.ts'
import { dialectNames } from './mm7/dialect.ts'
import { dialects } from './mm7/dialects.ts'
import type { DialectName } from './mm7/dialect.ts'
import { startMm7 } from './mm7.ts'
import type { Mm7Entry, Mm7Options } from './mm7.ts'
import type { HttpOutcome } from './shared/http-server.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import {
  acknowledgement,
  encodeEucKr,
  buildEnvelope,
  jpeg,
  postMime,
  receiveReports,
  submitRequest,
  getElementText,
} from './testing/mm7-client.ts'
import type { Reply, ReportReceiver, Submit } from './testing/mm7-client.ts'
import { until } from './testing/peer.ts'

/** More tries than any behaviour refuses, except those that always refuse. */
const maxTries = 6

interface Setting {
  readonly mmsc: HttpCarrier<Mm7Entry>
  readonly receiver: ReportReceiver
  readonly submit: (change?: Partial<Submit>) => Promise<Reply>
}

async function setting(
  t: TestContext,
  options: Partial<Mm7Options> = {},
  answer?: (report: string, count: number) => HttpOutcome,
): Promise<Setting> {
  const receiver = await receiveReports(answer)
  const mmsc = await startMm7({
    reportUrl: receiver.url,
    slowMs: 30,
    lateMs: 60,
    receiptRetryMs: 5,
    earlyMs: 5000,
    ...options,
  })
  t.after(async () => {
    await mmsc.close()
    await receiver.close()
  })
  const dialect = options.dialect ?? '3gpp'
  return {
    mmsc,
    receiver,
    submit: (change = {}) =>
      postMime(
        mmsc.port,
        dialects[dialect].path,
        submitRequest({ dialect, to: '01012345678', ...change }),
        change.basicAuth,
      ),
  }
}

async function waitForSubmission(mmsc: HttpCarrier<Mm7Entry>, to: string): Promise<undefined> {
  await until(() => mmsc.submissions(to).length === 1, 'the submission')
}

/** Reads the outcome of a report in each dialect. */
const readOutcome = (dialect: DialectName, report: string): string | undefined =>
  getElementText(report, dialect === 'skt' ? 'StatusCode' : 'MMStatus')

for (const dialect of dialectNames) {
  test(`${dialect}: accepts, responds and reports in its own notation`, async (t) => {
    const { mmsc, receiver, submit } = await setting(t, { dialect })
    const reply = await submit({ transactionId: '00042', to: '01012340001' })
    assert.equal(reply.status, 200)
    assert.equal(reply.contentType, `text/xml; charset="${dialects[dialect].charset}"`)
    assert.match(reply.body, dialect === '3gpp' ? /<SubmitRsp xmlns=/ : /<mm7:SubmitRsp /)
    assert.match(reply.body, /mustUnderstand="1">00042<\/mm7:TransactionID>/)
    assert.equal(getElementText(reply.body, 'StatusCode'), '1000')
    await until(() => receiver.reports.length === 1, 'the report')
    const [report] = receiver.reports as [string]
    assert.equal(getElementText(report, 'MessageID'), getElementText(reply.body, 'MessageID'))
    assert.equal(readOutcome(dialect, report), dialect === '3gpp' ? 'Retrieved' : '1000')
    const shapes: Record<DialectName, RegExp> = {
      '3gpp':
        /<DeliveryReportReq xmlns=.*<Recipient><Number>01012340001<.*<Sender><Number>0215881588<.*<StatusText>/,
      skt: /<mm7:DeliverReportReq .*REL-5-MM7-1-0.*<Recipient><Number>01012340001<.*<Sender>0215881588<.*<CalledNet>.*<Status><StatusCode>/,
      kt: /<mm7:DeliveryReportReq .*REL-5-MM7-1-0.*<Recipient><Number>01012340001<.*<Sender><Number>0215881588</,
      lgu: /<mm7:DeliveryReportReq .*REL-5-MM7-1-2.*<Recipients><Number>01012340001<.*<Sender><Number>0215881588</,
    }
    assert.match(report, shapes[dialect])
    const [entry] = mmsc.submissions('01012340001')
    assert.deepEqual(
      [entry!.subject, entry!.parts[0]!.text, entry!.strictCharset],
      ['제목', '안녕하세요', true],
    )
    assert.deepEqual([entry!.parts[1]!.contentType, entry!.parts[1]!.bytes], ['image/jpeg', jpeg.length])
    assert.equal(entry!.originCode, dialect === '3gpp' ? null : '123456789')
  })

  test(`${dialect}: every ending behaves as the table states`, async (t) => {
    const { mmsc, receiver, submit } = await setting(t, { dialect })
    const { refusals, reportCodes } = dialects[dialect]
    // A carrier without a code for a refusal accepts the message.
    const dialectBehaviours: readonly Behaviour[] = behaviours.map(({ refuse, ...behaviour }) =>
      refuse === undefined || refusals[refuse.refusal] === undefined ? behaviour : { ...behaviour, refuse },
    )
    await Promise.all(
      dialectBehaviours.map(async ({ ending, refuse, answer, accepts }) => {
        const to = `0101234${ending}`
        const codes: (string | undefined)[] = []
        const refused = refuse === undefined ? 0 : Math.min(refuse.tries, maxTries)
        for (let tries = 0; tries <= refused && tries < maxTries; tries++) {
          const answered = submit({ to }).catch(() => undefined)
          // An unanswered request ends when the test closes the carrier.
          const reply = answer === 'never' ? await waitForSubmission(mmsc, to) : await answered
          codes.push(
            reply === undefined
              ? 'none'
              : reply.status === 200
                ? getElementText(reply.body, 'StatusCode')
                : 'HTTP 500',
          )
          if (answer === 'broken XML') assert.doesNotMatch(reply!.body, /Envelope>$/)
        }
        const code = refuse === undefined ? '' : refusals[refuse.refusal]![0]
        const isSilent = answer === 'never' || answer === 'by disconnecting'
        const last = isSilent ? 'none' : answer === 'HTTP 500' ? 'HTTP 500' : '1000'
        const expected = [...Array<string>(refused).fill(code), ...(refused === maxTries ? [] : [last])]
        assert.deepEqual(codes, expected, ending)
        assert.equal(mmsc.submissions(to).length, accepts && refused < maxTries ? 1 : 0, ending)
      }),
    )
    const accepted = dialectBehaviours.filter(
      ({ accepts, refuse }) => accepts && (refuse?.tries ?? 0) < maxTries,
    )
    const expected = accepted.flatMap(({ ending, reports }) =>
      reports.map((outcome) => [ending, reportCodes[outcome][0]]),
    )
    await until(() => receiver.reports.length === expected.length, 'all reports')
    const received = receiver.reports.map((report) => [
      /<Number>\d{7}(\d{4})</.exec(report)?.[1],
      readOutcome(dialect, report),
    ])
    assert.deepEqual(received.toSorted(), expected.toSorted())
    await until(() => mmsc.stats().receiptsPending === 0, 'all acknowledgements')
    const stats = mmsc.stats()
    assert.equal(stats.submits, stats.accepted + stats.throttled + stats.refused + stats.abandoned)
    assert.deepEqual([stats.receiptsAnswered, stats.errors], [expected.length, 0])
  })
}

test('0005 posts the report before the response; 0011 and 0015 are delayed', async (t) => {
  const { receiver, submit } = await setting(t)
  await submit({ to: '01012340005' })
  assert.equal(receiver.reports.length, 1)
  const start = performance.now()
  await submit({ to: '01012340011' })
  assert.ok(performance.now() - start >= 29)
  await submit({ to: '01012340015' })
  await until(() => receiver.reports.some((report) => report.includes('01012340015')), 'the late report')
  assert.ok(performance.now() - start >= 59)
})

test('0005 stops waiting for its report after the limit', async (t) => {
  const { submit } = await setting(t, { earlyMs: 20 }, () => ({ status: 500, body: '' }))
  assert.equal(getElementText((await submit({ to: '01012340005' })).body, 'StatusCode'), '1000')
})

test('repeats a report until 1000 acknowledges it', async (t) => {
  const answers: HttpOutcome[] = [
    { status: 500, body: '' },
    { status: 200, body: 'not XML' },
    acknowledgement('4000'),
    'disconnect',
    acknowledgement(),
  ]
  const { mmsc, receiver, submit } = await setting(
    t,
    { dialect: 'kt' },
    (_report, count) => answers[count - 1]!,
  )
  await submit()
  await until(() => mmsc.stats().receiptsAnswered === 1, 'the acknowledgement')
  assert.equal(new Set(receiver.reports).size, 1)
  assert.deepEqual([mmsc.stats().receiptsSent, mmsc.stats().receiptsRepeated], [5, 4])
})

test('KT refuses a duplicate TransactionID and answers an echo', async (t) => {
  const { mmsc, submit } = await setting(t, { dialect: 'kt', rememberTransactions: 2 })
  const codes: (string | undefined)[] = []
  for (const transactionId of ['a', 'a', 'b', 'c', 'a']) {
    codes.push(getElementText((await submit({ transactionId })).body, 'StatusCode'))
  }
  assert.deepEqual(codes, ['1000', '2163', '1000', '1000', '1000'])
  const echo = buildEnvelope('kt', 'echo', 'EchoReq', '<Echo>Echo</Echo><MM7Version>1.0</MM7Version>')
  const request = { contentType: 'text/xml; charset="euc-kr"', body: Buffer.from(echo) }
  const { body } = await postMime(mmsc.port, '/', request)
  assert.match(
    body,
    /<mm7:EchoRsp [^>]*REL-5-MM7-1-0"><MM7Version>1.0<\/MM7Version><Status><StatusCode>1000</,
  )
  assert.equal(mmsc.stats().submits, 5)
})

test('checks credentials and the origin code if configured', async (t) => {
  const required = { vaspId: 'vasp', vasId: 'vas', partnerId: 'partner', requireOrigin: true }
  const { submit } = await setting(t, { dialect: 'skt', ...required })
  const code = async (edit?: (xml: string) => string): Promise<string | undefined> =>
    getElementText((await submit(edit === undefined ? {} : { edit })).body, 'StatusCode')
  assert.equal(await code(), '1000')
  assert.equal(await code((xml) => xml.replace('>partner<', '>other<')), '2002')
  assert.equal(await code((xml) => xml.replace('<VASPID>vasp', '<VASPID>other')), '2002')
  assert.equal(await code((xml) => xml.replace('123456789', '12345')), '2003')
  const basic = await setting(t, { basicAuth: 'user:password' })
  assert.equal((await basic.submit()).status, 401)
  assert.equal((await basic.submit({ basicAuth: 'user:password' })).status, 200)
  const neighbour = await setting(t, { dialect: 'lgu', requireOrigin: true })
  const lgu = await neighbour.submit({ edit: (xml) => xml.replace(/<KisaOrigCode>.*<\/KisaOrigCode>/, '') })
  assert.equal(getElementText(lgu.body, 'StatusCode'), '4032')
})

test('throttles beyond the rate, and while too many reports are pending', async (t) => {
  const { mmsc, submit } = await setting(t, { dialect: 'lgu', rate: 3 })
  const replies = await Promise.all(Array.from({ length: 6 }, () => submit()))
  const codes = replies.map(({ body }) => getElementText(body, 'StatusCode')).toSorted()
  assert.deepEqual(codes, ['1000', '1000', '1000', '7103', '7103', '7103'])
  assert.equal(mmsc.stats().throttled, 3)
  const full = await setting(t, { dialect: 'kt', maxPending: 1 }, () => ({ status: 500, body: '' }))
  await full.submit()
  assert.equal(getElementText((await full.submit()).body, 'StatusCode'), '4202')
})

test('refuses requests other than MM7 with RSErrorRsp, and invalid submissions with their codes', async (t) => {
  const { mmsc, submit } = await setting(t, { dialect: 'kt' })
  const refused = async (contentType: string, body: string): Promise<string> =>
    (await postMime(mmsc.port, '/', { contentType, body: Buffer.from(body) })).body
  assert.match(await refused('multipart/related; boundary=x', 'nothing'), /<mm7:RSErrorRsp .*2150/)
  assert.match(await refused('text/xml', '<a><b></a>'), /<mm7:RSErrorRsp .*2102/)
  assert.match(await refused('application/json', '{}'), /<mm7:RSErrorRsp .*2150/)
  assert.match(
    await refused('text/xml', buildEnvelope('kt', '7', 'CancelReq', '')),
    /7<.*<mm7:RSErrorRsp .*2103/,
  )
  assert.equal(
    (await postMime(mmsc.port, '/other', { contentType: 'text/xml', body: Buffer.from('') })).status,
    404,
  )
  const addCc = (xml: string): string => xml.replace('</To>', '</To><Cc><Number>01099990001</Number></Cc>')
  assert.equal(getElementText((await submit({ edit: addCc })).body, 'StatusCode'), '4201')
  assert.equal(getElementText((await submit({ to: 'no number' })).body, 'StatusCode'), '2107')
  assert.equal(getElementText((await submit({ image: Buffer.from('PNG') })).body, 'StatusCode'), '2160')
  const large = Buffer.concat([jpeg, Buffer.alloc(307_200)])
  assert.equal(getElementText((await submit({ image: large })).body, 'StatusCode'), '4203')
  const { submits, refused: count, errors } = mmsc.stats()
  assert.deepEqual([submits, count, errors], [8, 8, 0])
})

test('3GPP reports once per recipient, and only on request', async (t) => {
  const { receiver, submit } = await setting(t)
  await submit({ edit: (xml) => xml.replace('>true</DeliveryReport>', '>false</DeliveryReport>') })
  await submit({ edit: (xml) => xml.replace('</To>', '</To><Cc><Number>+821099990001</Number></Cc>') })
  await until(() => receiver.reports.length === 2, 'two reports')
  const recipients = receiver.reports.map((report) => /<Recipient><Number>([^<]*)/.exec(report)?.[1])
  assert.deepEqual(recipients.toSorted(), ['+821099990001', '01012345678'])
})

test('marks text beyond EUC-KR and finds duplicate messages', async (t) => {
  const { mmsc, submit } = await setting(t, { dialect: 'lgu' })
  const { contentType, body } = submitRequest({ dialect: 'lgu', to: '01012345678', text: '@@' })
  // 똠 of CP949: no character of KS X 1001.
  const extended = Buffer.from(body.toString('latin1').replace('@@', '\x8c\x63'), 'latin1')
  await postMime(mmsc.port, '/', { contentType, body: extended })
  assert.deepEqual(
    mmsc.submissions().map(({ strictCharset, parts }) => [strictCharset, parts[0]!.text]),
    [[false, '\ufffd']],
  )
  await submit({ transactionId: 'first' })
  await submit({ transactionId: 'second' })
  await submit({ subject: '다른 제목' })
  assert.deepEqual(
    mmsc.duplicates().map(({ count, subject }) => [count, subject]),
    [[2, '제목']],
  )
})

test('returns the same ids for the same seed, and others after a reset', async (t) => {
  const ids = async (): Promise<(string | undefined)[]> => {
    const { mmsc, submit } = await setting(t, { dialect: 'kt', seed: 7, reportUrl: undefined })
    const first = getElementText((await submit({ transactionId: 'a' })).body, 'MessageID')
    mmsc.reset()
    assert.deepEqual([mmsc.stats().submits, mmsc.submissions()], [0, []])
    return [first, getElementText((await submit({ transactionId: 'a' })).body, 'MessageID')]
  }
  const [firstRun, secondRun] = [await ids(), await ids()]
  assert.deepEqual(firstRun, secondRun)
  assert.notEqual(firstRun[0], firstRun[1])
})

test('a message to a number without its own row is delivered', () => {
  assert.equal(behaviourFor('01012349999').ending, '0001')
})

test('the test client encodes EUC-KR', () => {
  assert.deepEqual(encodeEucKr('가A'), Buffer.from([0xb0, 0xa1, 0x41]))
})
