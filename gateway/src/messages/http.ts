/** DELETE /v1/send/{msgKey}: takes back a message that waits for its time. Ours, beyond the contract. */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import { PlainAnswer } from '../platform/answer.ts'
import type { Database } from '../platform/database.ts'
import { isMsgKey } from '../platform/keys.ts'
import { Problem } from '../platform/problem.ts'
import { cancelScheduled } from './cancel.ts'

export interface CancelRoutesOptions {
  readonly database: Database
  readonly accountOf: (request: FastifyRequest) => Account
}

export function cancelRoutes({ database, accountOf }: CancelRoutesOptions): FastifyPluginCallback {
  return (server, _options, done) => {
    server.delete<{ Params: { msgKey: string } }>(
      '/v1/send/:msgKey',
      { schema: { response: { 200: PlainAnswer } } },
      async (request) => {
        const { msgKey } = request.params
        if (!isMsgKey(msgKey) || !(await cancelScheduled(database, accountOf(request).id, msgKey))) {
          throw new Problem(
            'A330',
            'Cannot be cancelled: no message of this key waits for its time; a released one cannot be called back',
          )
        }
        return { code: 'A000', result: 'Success' }
      },
    )
    done()
  }
}
