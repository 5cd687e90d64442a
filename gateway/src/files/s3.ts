/**
 * Files in a bucket of S3 or of anything that speaks its protocol: path-style addresses, no feature newer than the
 * oldest compatible server in use.
 */
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { isFileKey } from './file.ts'
import type { FileStore } from './store.ts'

export interface S3Options {
  readonly bucket: string
  readonly region: string
  /** Amazon's own for the region when left out. */
  readonly endpoint?: string
  /** Found as the AWS tools do (environment, profile, instance role) when left out. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

export function openS3Store(options: S3Options): FileStore {
  const { bucket, ...connection } = options
  const client = new S3Client({
    ...connection,
    forcePathStyle: true,
    maxAttempts: 3,
    // Checksums in trailers are not understood everywhere; the signature covers the bytes anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  })

  function objectOf(key: string): { readonly Bucket: string; readonly Key: string } {
    if (!isFileKey(key)) throw new Error('a file store is asked for what is no file key')
    return { Bucket: bucket, Key: key }
  }

  return {
    async put(key, content) {
      // A few megabytes at most. In memory they can be signed, and sent again when the server is busy.
      const Body = await buffer(content)
      await client.send(new PutObjectCommand({ ...objectOf(key), Body }))
    },
    async open(key) {
      const { Body } = await client.send(new GetObjectCommand(objectOf(key)))
      if (Body === undefined) throw new Error(`the bucket has nothing under ${key}`)
      return Body as Readable
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(objectOf(key)))
    },
  }
}
