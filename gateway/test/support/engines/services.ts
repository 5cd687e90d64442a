/**
 * Reads the URLs of the engines from the environment: `npm test` starts the engines and sets them, or the caller
 * sets the URLs of other engines. Without them a test fails with an explanation; it is never skipped.
 */
export type ServiceVariable = 'POSTERN_DATABASE_URL' | 'POSTERN_BROKER_URLS' | 'POSTERN_REDIS_URL'

export function serviceUrl(name: ServiceVariable): string {
  const url = process.env[name]
  if (url !== undefined && url !== '') return url
  throw new Error(
    `${name} is not set. \`npm test\` starts the services and sets it; for one file: node tools/engines/with-services.ts node --test <file>`,
  )
}

export function brokerUrls(): string[] {
  return serviceUrl('POSTERN_BROKER_URLS').split(',')
}
