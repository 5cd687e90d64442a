/** Opens the configured store: a folder for one machine or several that share it, otherwise S3 or a compatible server. */
import type { Config } from '../platform/config.ts'
import { openDiskStore } from './disk.ts'
import type { FileStore } from './store.ts'

type FileConfig = Pick<
  Config,
  | 'fileFolder'
  | 'fileS3Bucket'
  | 'fileS3Endpoint'
  | 'fileS3Region'
  | 'fileS3AccessKeyId'
  | 'fileS3SecretAccessKey'
>

export async function storeFromConfig(config: FileConfig): Promise<FileStore> {
  const { fileS3Bucket: bucket, fileS3Endpoint: endpoint, fileS3Region: region } = config
  if (bucket === undefined) return openDiskStore(config.fileFolder)
  const { fileS3AccessKeyId: accessKeyId, fileS3SecretAccessKey: secretAccessKey } = config
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }
  // The S3 client is large and is loaded only when it is used.
  const { openS3Store } = await import('./s3.ts')
  return openS3Store({ bucket, region, ...(endpoint === undefined ? {} : { endpoint }), ...credentials })
}
