/** GET /admin/v1/accounts/{clientId}/stop: how far a block has come. */
import { readStops } from '../../accounts/stops.ts'
import { requireAccountId } from '../../acts/accounts.ts'
import { countStopped } from '../../acts/block-progress.ts'
import { FailedError } from '../../acts/errors.ts'
import { clientId, oneOf, record, whole } from '../fields.ts'
import { defineOperation, reads } from '../operation.ts'

export const stopOperation = defineOperation({
  id: 'showAccountStop',
  method: 'get',
  path: '/admin/v1/accounts/{clientId}/stop',
  tag: 'Accounts',
  summary: 'Show what the block of an account has done to its messages so far',
  access: reads(),
  action: 'account stops',
  params: { clientId },
  data: record(
    {
      clientId,
      backlog: oneOf(['close', 'hold'], 'What becomes of what waits'),
      submitted: whole('Messages that carriers have now'),
      closed: whole('Messages that the block has ended'),
      held: whole('Messages that wait for the unblock'),
      open: whole('Messages that workers have yet to end or hold'),
    },
    'A block in progress',
    { title: 'BlockProgress' },
  ),
  run: async ({ params }, { database }) => {
    const [stop] = await readStops(database, await requireAccountId(database, params.clientId))
    if (stop === undefined || stop.endedAt !== null)
      throw new FailedError(`account '${params.clientId}' is not blocked`)
    const counts = await countStopped(database, stop, null, () => undefined)
    return { clientId: params.clientId, backlog: stop.backlog, ...counts }
  },
})
