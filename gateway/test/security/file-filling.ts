/**
 * `node gateway/test/security/file-filling.ts`: an account uploads images until it is rejected, and strangers
 * request thousands of invented image keys. Stored files must stay within the quota, and a real image must be
 * served.
 */
import { AccountClient } from '../support/processes/account-client.ts'
import { makeJpeg } from '../support/files/images.ts'
import { createFileKey } from '../../src/records/files/file.ts'
import { runTargetAttack } from './attack.ts'

const quota = 20
const inventedKeys = 2_000

await runTargetAttack(
  { POSTERN_FILE_QUOTA_COUNT: String(quota) },
  async ({ attacker, url, wrong, report }) => {
    const { body: login } = await attacker.login()
    const headers = { authorization: `Bearer ${login.data!.token}` }
    const image = new Blob([makeJpeg(600, 500)], { type: 'image/jpeg' })
    async function upload(): Promise<{ code: string; data?: { fileKey: string } }> {
      const body = new FormData()
      body.append('file', image, 'test.jpg')
      const answer = await fetch(`${url}/v1/file/FRIENDTALK/FI`, { method: 'POST', headers, body })
      return (await answer.json()) as { code: string; data?: { fileKey: string } }
    }
    const uploads = await Promise.all(Array.from({ length: quota * 2 }, upload))
    const stored = uploads.flatMap(({ data }) => (data === undefined ? [] : [data.fileKey]))
    report(`${uploads.length} uploads at once: ${stored.length} stored`)
    if (stored.length !== quota) wrong(`${stored.length} files are stored with a quota of ${quota}`)
    const stranger = new AccountClient(url, { clientId: '', password: '' }, { connections: 100 })
    const status = async (key: string): Promise<number> =>
      (await fetch(`${url}/v1/file/content/${key}`)).status
    const flood = Promise.all(
      Array.from({ length: inventedKeys }, () =>
        stranger.call('GET', `/v1/file/content/${createFileKey(new Date())}`, undefined, ''),
      ),
    )
    const served: number[] = []
    for (const key of stored) served.push(await status(key))
    if (served.some((one) => one !== 200)) wrong(`image requests got ${served.join(' ')} during the flood`)
    const answers = Map.groupBy(await flood, (answer) => answer.httpStatus)
    report(
      `${inventedKeys} invented keys: ${[...answers].map(([one, all]) => `${all.length} × ${one}`).join(', ')}`,
    )
    for (const one of answers.keys()) if (one !== 404 && one !== 503) wrong(`an invented key got ${one}`)
    const deleted = await fetch(`${url}/v1/file/${stored[0]!}`, { method: 'DELETE', headers })
    if (deleted.status !== 200 || (await status(stored[0]!)) !== 404) wrong('a deleted image is still public')
  },
)
