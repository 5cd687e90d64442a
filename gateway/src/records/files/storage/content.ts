/**
 * GET /v1/file/content/{key}: the image of an `imgUrl`, for carriers and handsets. It needs no token, because the key
 * cannot be guessed. Serves only files that have an `imgUrl`, with the image type that was detected at upload.
 */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { contentTypes } from '../image/image.ts'
import { OpenContents, type ContentLimits } from './open-contents.ts'
import type { PublicLookup } from '../public-lookup.ts'
import { computeRemovalTime } from './removal.ts'
import { imageRules } from '../rules.ts'
import type { FileStore } from './store.ts'
import { clock } from '../../../platform/time/clock.ts'

export interface FileContentRoutesOptions {
  readonly lookup: PublicLookup
  readonly store: FileStore
  /** Returns the network of a client, by which concurrent responses are limited. */
  readonly getNetwork: (request: FastifyRequest) => string
  /** For tests. */
  readonly limits?: ContentLimits
}

const published = new Set(
  imageRules.filter((rule) => rule.reference === 'imgUrl').map((rule) => rule.serviceType),
)

export function fileContentRoutes(options: FileContentRoutesOptions): FastifyPluginCallback {
  const contents = new OpenContents(options.limits)
  return (server, _options, done) => {
    server.get<{ Params: { key: string } }>('/v1/file/content/:key', async (request, reply) => {
      const file = await options.lookup.find(request.params.key)
      // An expired file is still served for messages that were accepted before its expiry.
      if (file === null || !published.has(file.serviceType) || clock.hasPassed(computeRemovalTime(file))) {
        reply.callNotFound()
        return reply
      }
      if (request.raw.socket.destroyed) return reply.hijack()
      const openContent = contents.open(request.raw.socket, reply.raw, options.getNetwork(request))
      const content = await options.store.open(file.key).catch(async (error: unknown) => {
        // Deleted by another process, possibly without notice to this one.
        if ((await options.lookup.findAgain(file.key)) === null) return null
        throw error
      })
      if (content === null) {
        reply.callNotFound()
        return reply
      }
      // The connection was closed in the meantime.
      if (!openContent.attach(content)) return reply.hijack()
      const maxAgeSeconds = Math.max(0, Math.floor((file.expiresAt.getTime() - clock.now()) / 1000))
      return (
        reply
          .header('content-type', contentTypes[file.format])
          .header('content-length', file.bytes)
          .header('cache-control', `public, max-age=${maxAgeSeconds}, immutable`)
          // A file can be valid as an image and as something else: a browser must treat it as an image only.
          .header('x-content-type-options', 'nosniff')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .send(content)
      )
    })
    done()
  }
}
