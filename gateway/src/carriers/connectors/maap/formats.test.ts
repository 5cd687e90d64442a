import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { rcsSubmission } from '../../../../test/support/carriers/maap.ts'
import { goldenFolder } from '../../../../test/support/carriers/maap-golden.ts'
import { image, openMaapStage } from '../../../../test/support/carriers/maap-simulator.ts'
import { waitFor } from '../../../../test/support/wait.ts'

/** Prefix of the file that one request names and that was not uploaded through this gateway. */
const carrierFile = 'BR.carrier'
const requests = Object.values(
  JSON.parse(readFileSync(join(goldenFolder, 'requests.json'), 'utf8')) as Record<string, object>,
)

for (const kind of ['maap', 'maap-kt'] as const)
  test(`${kind}: a message of every format is delivered, with uploaded files`, async (t) => {
    const { connector, record, hosts } = await openMaapStage(t, {
      kind,
      options: { brandKey: 'BK.route' },
      simulator: { anyFile: true },
      context: {
        openFile: (key) => {
          if (key.includes(carrierFile)) return Promise.resolve(null)
          return Promise.resolve({ key, bytes: image(key), contentType: 'image/png', name: 'a.png' })
        },
      },
    })
    const outcomes = await Promise.all(
      requests.map((request, index) => {
        const reference = `20261115000000000C00A00000000${String(index + 100)}-1-1-1`
        return connector.submit(rcsSubmission(request, { reference }))
      }),
    )
    for (const outcome of outcomes) assert.equal(outcome.kind, 'accepted', JSON.stringify(outcome))
    await waitFor('all statuses', () => record.receipts.length === requests.length)
    for (const { result, code } of record.receipts) assert.equal(result, 'delivered', code)
    // Every submission goes to the first host unless it fails.
    const [host] = hosts.values()
    const media = host!
      .submissions()
      .flatMap(({ body }) =>
        Object.entries(body as Record<string, string>).filter(([name]) =>
          /^(?:media|subMedia)\d?$/.test(name),
        ),
      )
    assert.ok(media.length > 60, 'the stored requests contain more than 60 media fields')
    for (const [, value] of media)
      assert.match(value, /maapfile:\/\/BR\.(?:postern\.\d{17}\.[0-9a-f]{12}|carrier\..*)$/)
  })
