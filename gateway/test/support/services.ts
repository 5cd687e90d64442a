/**
 * Where the engines are. Tests take URLs and never start anything: `npm test` does that, or an operator gives
 * the URLs of engines of their own. Without them a test must fail and say so, not skip.
 */
export type ServiceVariable = 'POSTERN_DATABASE_URL' | 'POSTERN_BROKER_URLS' | 'POSTERN_REDIS_URL'

export function serviceUrl(name: ServiceVariable): string {
  const url = process.env[name]
  if (url !== undefined && url !== '') return url
  throw new Error(
    `${name} is not set. \`npm test\` starts the services and sets it; for one file: node scripts/with-services.ts node --test <file>`,
  )
}

export function brokerUrls(): string[] {
  return serviceUrl('POSTERN_BROKER_URLS').split(',')
}
