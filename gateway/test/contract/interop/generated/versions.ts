/** Versions of the generators and of the Python webhook library. docs/guides/client-libraries.md must show the same versions. */
export const versions = {
  'openapi-python-client': '0.29.0',
  'oapi-codegen': 'v2.8.1',
  'openapi-generator-cli': '7.25.0',
  standardwebhooks: '1.1.0',
} as const
