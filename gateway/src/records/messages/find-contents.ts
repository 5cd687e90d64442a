/** Recipients and steps of recorded messages of an account, decrypted where they are encrypted. Called by POST /v1/conversion. */
import type { Step } from '../../channels/channel.ts'
import { readContents, type Content, type SealedRow } from '../../jobs/sealed.ts'
import type { Queryable } from '../../platform/database.ts'

interface StoredContent extends SealedRow {
  readonly recipient: string
  readonly flow: readonly Step[]
}

/** Those of other accounts are left out. */
export async function findContents(
  database: Queryable,
  accountId: number,
  msgKeys: readonly string[],
): Promise<(Content & { readonly msgKey: string })[]> {
  const { rows } = await database.query<StoredContent>({
    name: 'find-contents',
    text: `select msg_key as "msgKey", recipient, flow, sealed from messages where msg_key = any ($2) and account_id = $1`,
    values: [accountId, msgKeys],
  })
  const contents = await readContents(rows)
  return rows.map(({ msgKey, recipient, flow }) => {
    const { to, steps } = contents.get(msgKey) ?? { to: recipient, steps: flow }
    return { msgKey, to, steps }
  })
}
