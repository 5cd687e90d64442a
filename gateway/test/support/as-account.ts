/** Serves routes for a given account, without a token. */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Account } from '../../src/identity/accounts/account.ts'
import '../../src/identity/accounts/request-account.ts'

export function asAccount(
  accountOf: (request: FastifyRequest) => Account,
  routes: FastifyPluginCallback,
): FastifyPluginCallback {
  return (server, _options, done) => {
    if (!server.hasRequestDecorator('account')) server.decorateRequest('account', null)
    server.addHook('onRequest', (request, _reply, next) => {
      request.account = accountOf(request)
      next()
    })
    void server.register(routes)
    done()
  }
}
