export interface Sdk {
  readonly language: string
  readonly name: string
  /** Command of the driver, or the reason for having none. */
  readonly driver: readonly string[] | { readonly notRun: string }
}

export const sdks: readonly Sdk[] = [
  {
    language: 'JavaScript',
    name: '@infobank/infobank-omni-sdk-js',
    driver: [process.execPath, 'gateway/test/contract/interop/js/drive.ts'],
  },
  {
    language: 'Go',
    name: 'github.com/icomm-api/infobank-omni-sdk-go',
    driver: { notRun: 'not available from the Go module proxy on 2026-11-15' },
  },
  {
    language: 'Java',
    name: 'io.github.icomm-api:infobank-omni-sdk-java',
    driver: { notRun: 'not found in Maven Central on 2026-11-15' },
  },
]
