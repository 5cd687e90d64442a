/** DELETE /v1/send/{msgKey}: cancels a scheduled message. Not part of the contract. */
import { requireAccount } from '../../identity/accounts/request-account.ts'
import type { FastifyPluginCallback } from 'fastify'
import { StatusResponse } from '../../contract/response.ts'
import type { Database } from '../../platform/database/database.ts'
import { isMsgKey } from '../../contract/msg-key.ts'
import { Problem } from '../../contract/problem.ts'
import { cancelScheduled, isCancelled } from './cancel.ts'

export function cancelRoutes({ database }: { readonly database: Database }): FastifyPluginCallback {
  return (server, _options, done) => {
    server.delete<{ Params: { msgKey: string } }>(
      '/v1/send/:msgKey',
      { schema: { response: { 200: StatusResponse } } },
      async (request) => {
        const { msgKey } = request.params
        const { id } = requireAccount(request)
        const cancelled =
          isMsgKey(msgKey) &&
          ((await cancelScheduled(database, id, [msgKey])) === 1 || (await isCancelled(database, id, msgKey)))
        if (!cancelled) {
          throw new Problem('A330', 'Cannot be cancelled: no scheduled message with this msgKey is waiting')
        }
        return { code: 'A000', result: 'Success' }
      },
    )
    done()
  }
}
