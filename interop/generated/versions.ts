/** Versions of the generators and of the libraries that verify webhooks; docs/clients.md shows the same. */
export const versions = {
  'openapi-python-client': '0.29.0',
  'oapi-codegen': 'v2.8.1',
  'openapi-generator-cli': '7.25.0',
  /** The library of Standard Webhooks for Python. */
  standardwebhooks: '1.1.0',
} as const
