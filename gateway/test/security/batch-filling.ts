/**
 * `node gateway/test/security/batch-filling.ts`: an account uploads batches of lines that cannot be compressed until it is
 * refused, and again after it has cancelled them. What is stored must stay within its quota, and other accounts must send,
 * read reports and upload in the meantime.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { AccountClient, type Envelope } from '../support/processes/account-client.ts'
import { createAccount } from '../support/processes/postern-command.ts'
import { runTargetAttack } from './attack.ts'

const megabytes = 24
/** An upload of 4 MiB, of which the random half cannot be compressed. */
const partLines = 4_000
const partsPerBatch = 2
const maxBatches = 20
const rounds = 2
/** The machine is busy during a flood. */
const maxMs = 5_000

interface Created extends Envelope {
  readonly data?: { readonly batchId: string }
}

await runTargetAttack({ POSTERN_FORM_LIMIT: '0' }, async ({ installation, url, wrong, report }) => {
  const { environment } = installation
  const database = new pg.Client(String(environment['POSTERN_DATABASE_URL']))
  await database.connect()
  const open = async (name: string, ...flags: string[]) => {
    const client = new AccountClient(url, await createAccount(environment, name, ...flags))
    const { body } = await client.login()
    return { client, authorization: `Bearer ${body.data!.token}` }
  }
  const attacker = await open('filler', '--batch-megabytes', String(megabytes))
  const other = await open('neighbour')

  let keys = 0
  async function createBatch({ client, authorization }: typeof attacker): Promise<string> {
    const body = JSON.stringify({ messageFlow: [{ sms: { from: '0234567890', text: '#{name}' } }] })
    const key = { 'idempotency-key': `flood-${++keys}` }
    const response = await client.call<Created>('POST', '/v1/batch', body, authorization, key)
    return response.body.data?.batchId ?? response.body.code
  }
  async function upload({ authorization }: typeof attacker, batchId: string, part: number, csv: string) {
    const response = await fetch(`${url}/v1/batch/${batchId}/recipients/${part}`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'text/csv' },
      body: csv,
    })
    return ((await response.json()) as Envelope).code
  }
  const createPart = (): string =>
    [
      'to,name',
      ...Array.from(
        { length: partLines },
        (_, n) => `010${10_000_000 + n},${randomBytes(500).toString('hex')}`,
      ),
    ].join('\n')
  const readStored = async (): Promise<number> => {
    const { rows } = await database.query<{ bytes: string }>(
      `select coalesce(sum(pg_column_size(p.*)), 0) as bytes
         from batch_pages p join batches b on b.id = p.batch_id join accounts a on a.id = b.account_id
        where a.name = 'filler'`,
    )
    return Number(rows[0]!.bytes)
  }

  /** Performs the requests of another account until the flood ends, and returns the slowest time. */
  async function measureNeighbour(flood: Promise<unknown>): Promise<number> {
    let [slowest, isFlooding] = [0, true]
    void flood.finally(() => (isFlooding = false))
    const { client } = other
    const message = JSON.stringify({ from: '0234567890', to: '01012345678', text: 'x' })
    while (isFlooding)
      for (const [what, request] of [
        ['a send', async () => (await client.call<Envelope>('POST', '/v1/send/sms', message)).body.code],
        ['its reports', async () => (await client.poll()).body.code],
        ['an upload', async () => upload(other, await createBatch(other), 1, 'to\n01012345678')],
      ] as const) {
        const began = performance.now()
        const code = await request()
        slowest = Math.max(slowest, performance.now() - began)
        // An account has at most 20 batches that have not ended.
        if (code !== 'A000' && !(what === 'an upload' && code === 'A350'))
          wrong(`${what} of another account got ${code}`)
      }
    return slowest
  }

  async function fill(): Promise<{ readonly batchIds: string[]; readonly codes: string[] }> {
    const [batchIds, codes]: [string[], string[]] = [[], []]
    for (let batch = 0; batch < maxBatches && !codes.includes('A353'); batch++) {
      const batchId = await createBatch(attacker)
      if (batchId === 'A353') codes.push(batchId)
      else batchIds.push(batchId)
      for (let part = 1; part <= partsPerBatch && !codes.includes('A353'); part++)
        codes.push(await upload(attacker, batchId, part, createPart()))
    }
    return { batchIds, codes }
  }

  for (let round = 1; round <= rounds; round++) {
    const filling = fill()
    const slowest = await measureNeighbour(filling)
    const { batchIds, codes } = await filling
    const stored = await readStored()
    report(
      `round ${round}: ${codes.length} uploads in ${batchIds.length} batches, the last got ${codes.at(-1)!}; ` +
        `${(stored / 1_048_576).toFixed(1)} of ${megabytes} MiB stored; slowest request of another account ${slowest.toFixed(0)} ms`,
    )
    if (codes.at(-1) !== 'A353') wrong(`the flood ended with ${codes.at(-1)!}, not at the quota`)
    if (codes.slice(0, -1).some((code) => code !== 'A000'))
      wrong(`uploads below the quota got ${codes.join(' ')}`)
    if (stored > megabytes * 1_048_576) wrong(`${stored} bytes are stored with a quota of ${megabytes} MiB`)
    if (slowest > maxMs) wrong(`another account waited ${slowest.toFixed(0)} ms`)
    for (const batchId of batchIds)
      await attacker.client.call('POST', `/v1/batch/${batchId}/cancel`, undefined, attacker.authorization)
    const left = await readStored()
    report(`after their cancellation ${left} bytes are stored`)
    if (left > batchIds.length * 100_000) wrong(`cancelled batches keep ${left} bytes`)
  }
  await database.end()
})
