/**
 * Opens the configured store: a bucket of S3 or of a compatible server if one is set, otherwise a directory, which
 * several machines can share.
 */
import type { Config } from '../../platform/settings/config.ts'
import { openDiskStore } from './storage/disk.ts'
import type { FileStore } from './storage/store.ts'

type FileConfig = Pick<
  Config,
  | 'fileFolder'
  | 'fileS3Bucket'
  | 'fileS3Endpoint'
  | 'fileS3Region'
  | 'fileS3AccessKeyId'
  | 'fileS3SecretAccessKey'
>

export async function openConfiguredStore(config: FileConfig): Promise<FileStore> {
  const { fileS3Bucket: bucket, fileS3Endpoint: endpoint, fileS3Region: region } = config
  if (bucket === undefined) return openDiskStore(config.fileFolder)
  const { fileS3AccessKeyId: accessKeyId, fileS3SecretAccessKey: secretAccessKey } = config
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }
  // Load the S3 client only if it is used, because it is large.
  const { openS3Store } = await import('./storage/s3.ts')
  return openS3Store({ bucket, region, ...(endpoint === undefined ? {} : { endpoint }), ...credentials })
}
