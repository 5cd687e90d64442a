/** Limits endpoints to credentials with a scope; other requests get A113 before their body is read. */
import type { FastifyPluginCallback } from 'fastify'
import { type Scope, requireScope } from '../../../identity/accounts/credential.ts'

export function withScope(scope: Scope, routes: FastifyPluginCallback): FastifyPluginCallback {
  return (server, _options, done) => {
    server.addHook('onRequest', (request, _reply, next) => {
      if (request.credential === null) throw new Error('the endpoint was registered without authentication')
      requireScope(request.credential, scope)
      next()
    })
    server.register(routes)
    done()
  }
}
