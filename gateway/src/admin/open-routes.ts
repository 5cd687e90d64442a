/**
 * Adds the routes of sign-in operations. Their concurrency is limited, because they require no
 * authentication.
 */
import type { FastifyInstance } from 'fastify'
import { html } from '../edge/api/reference/page/html.ts'
import { clientAddress } from '../edge/api/tokens/address.ts'
import { toResponse } from '../operations/response.ts'
import { adminCodes } from '../operations/codes.ts'
import { inputSchemas, readInput } from '../operations/input.ts'
import { Redirect, type OpenOperation } from '../operations/sign-in/open-operation.ts'
import { OperationError } from '../operations/errors.ts'
import { toOperationError } from '../operations/problem.ts'
import type { AdminServices } from '../operations/services.ts'
import { toSignInCaller } from '../operations/sign-in/caller.ts'
import type { SignIn } from '../operations/sign-in/open.ts'

const maxRunning = 32

export function addOpenRoutes(
  server: FastifyInstance,
  services: AdminServices,
  signIn: SignIn,
  operations: readonly OpenOperation[],
): void {
  let running = 0
  const whileFew = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxRunning)
      throw new OperationError('unavailable', 'too many sign-ins are in progress; retry', {
        retryAfterSeconds: 2,
      })
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }
  for (const operation of operations) {
    const schemas = inputSchemas(operation)
    server.route({
      method: operation.method.toUpperCase(),
      url: operation.path,
      handler: async (request, reply) => {
        const { headers, url } = request
        const address = clientAddress(request, services.config.adminProxyHops)
        const caller = toSignInCaller(address, headers['user-agent'])
        void reply.header('request-id', caller.requestId)
        const search = url.includes('?') ? url.slice(url.indexOf('?')) : ''
        const setCookie = (cookie: string): void => void reply.header('set-cookie', cookie)
        const context = { services, signIn, caller, headers, search, setCookie }
        const work = (): Promise<unknown> => {
          const input = readInput(schemas, operation.looseQuery ? { ...request, query: {} } : request)
          return operation.run(input, context)
        }
        const { data } = operation
        if (data !== null)
          return { code: 'success', result: 'Success', data: toResponse(data, await whileFew(work)) }
        try {
          const { location } = (await whileFew(work)) as Redirect
          return await reply.redirect(location, 303)
        } catch (error) {
          const problem = toOperationError(error as Error)
          if (problem === null || !acceptsHtml(headers.accept)) throw error
          return reply
            .code(adminCodes[problem.code].status)
            .header('content-type', 'text/html; charset=utf-8')
            .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
            .send(problemPage(problem))
        }
      },
    })
  }
}

function acceptsHtml(accept: string | undefined): boolean {
  return accept?.includes('text/html') === true
}

function problemPage({ code, message }: OperationError): string {
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>Sign-in</title>
      <h1>You are not signed in</h1>
      <p>${message}.</p>
      <p>${adminCodes[code].action}</p>
      <p><a href="/">Sign in again</a></p>
    </html>`.text
}
