/** As the API masks numbers: only the last four digits. */
export function maskNumber(number: string): string {
  return '*'.repeat(Math.max(0, number.length - 4)) + number.slice(-4)
}
