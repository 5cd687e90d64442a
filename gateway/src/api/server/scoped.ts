/** Limits endpoints to credentials with a scope: a request without it is answered with A113 before its body is read. */
import type { FastifyPluginCallback } from 'fastify'
import { type Scope, requireScope } from '../../accounts/credential.ts'

export function scoped(scope: Scope, routes: FastifyPluginCallback): FastifyPluginCallback {
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
