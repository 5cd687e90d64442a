/**
 * Calling codes and their countries, from the list of ITU-T E.164 assigned codes as of 15 December 2016. Longer
 * prefixes distinguish countries that share a code, such as +1, +7 and +44. Lookups use the longest prefix. Also
 * finds recipients whose numbers have special rates.
 */

/** Pairs of `code country`, separated by spaces; a country with several codes has one pair for each. */
const codes = `
1 US 7 RU 20 EG 27 ZA 30 GR 31 NL 32 BE 33 FR 34 ES 36 HU 39 IT 40 RO 41 CH 43 AT 44 GB 45 DK 46 SE 47 NO 48 PL 49 DE
51 PE 52 MX 53 CU 54 AR 55 BR 56 CL 57 CO 58 VE 60 MY 61 AU 62 ID 63 PH 64 NZ 65 SG 66 TH 76 KZ 77 KZ 81 JP 82 KR 84 VN
86 CN 90 TR 91 IN 92 PK 93 AF 94 LK 95 MM 98 IR 211 SS 212 MA 213 DZ 216 TN 218 LY 220 GM 221 SN 222 MR 223 ML 224 GN
225 CI 226 BF 227 NE 228 TG 229 BJ 230 MU 231 LR 232 SL 233 GH 234 NG 235 TD 236 CF 237 CM 238 CV 239 ST 240 GQ 241 GA
242 CG 243 CD 244 AO 245 GW 246 IO 247 AC 248 SC 249 SD 250 RW 251 ET 252 SO 253 DJ 254 KE 255 TZ 256 UG 257 BI 258 MZ
260 ZM 261 MG 262 RE 262269 YT 262639 YT 263 ZW 264 NA 265 MW 266 LS 267 BW 268 SZ 269 KM 290 SH 291 ER 297 AW 298 FO
299 GL 350 GI 351 PT 352 LU 353 IE 354 IS 355 AL 356 MT 357 CY 358 FI 359 BG 370 LT 371 LV 372 EE 373 MD 374 AM 375 BY
376 AD 377 MC 378 SM 379 VA 380 UA 381 RS 382 ME 383 XK 385 HR 386 SI 387 BA 389 MK 420 CZ 421 SK 423 LI 500 FK 501 BZ
502 GT 503 SV 504 HN 505 NI 506 CR 507 PA 508 PM 509 HT 590 GP 591 BO 592 GY 593 EC 594 GF 595 PY 596 MQ 597 SR 598 UY
599 BQ 5999 CW 670 TL 672 NF 673 BN 674 NR 675 PG 676 TO 677 SB 678 VU 679 FJ 680 PW 681 WF 682 CK 683 NU 685 WS 686 KI
687 NC 688 TV 689 PF 690 TK 691 FM 692 MH 850 KP 852 HK 853 MO 855 KH 856 LA 880 BD 886 TW 960 MV 961 LB 962 JO 963 SY
964 IQ 965 KW 966 SA 967 YE 968 OM 970 PS 971 AE 972 IL 973 BH 974 QA 975 BT 976 MN 977 NP 992 TJ 993 TM 994 AZ 995 GE
996 KG 998 UZ
1204 CA 1226 CA 1236 CA 1249 CA 1250 CA 1257 CA 1263 CA 1289 CA 1306 CA 1343 CA 1354 CA 1365 CA 1367 CA 1368 CA 1382 CA
1387 CA 1403 CA 1416 CA 1418 CA 1428 CA 1431 CA 1437 CA 1438 CA 1450 CA 1460 CA 1468 CA 1474 CA 1506 CA 1514 CA 1519 CA
1537 CA 1548 CA 1568 CA 1579 CA 1581 CA 1584 CA 1587 CA 1604 CA 1613 CA 1639 CA 1647 CA 1672 CA 1683 CA 1705 CA 1709 CA
1742 CA 1753 CA 1778 CA 1780 CA 1782 CA 1807 CA 1819 CA 1825 CA 1867 CA 1873 CA 1879 CA 1902 CA 1905 CA 1942 CA
1242 BS 1246 BB 1264 AI 1268 AG 1284 VG 1340 VI 1345 KY 1441 BM 1473 GD 1649 TC 1658 JM 1664 MS 1670 MP 1671 GU 1684 AS
1721 SX 1758 LC 1767 DM 1784 VC 1787 PR 1809 DO 1829 DO 1849 DO 1868 TT 1869 KN 1876 JM 1939 PR
441481 GG 447781 GG 447839 GG 4479111 GG 4479117 GG 441534 JE 447509 JE 4477003 JE 4477007 JE 4477008 JE 447797 JE
447829 JE 447937 JE 441624 IM 4474576 IM 447524 IM 447624 IM 447924 IM`

const byCode = new Map<string, string>()
{
  const words = codes.trim().split(/\s+/)
  for (let n = 0; n < words.length; n += 2) byCode.set(words[n]!, words[n + 1]!)
}
const maxDigits = Math.max(...[...byCode.keys()].map((code) => code.length))

export const countries: ReadonlySet<string> = new Set(byCode.values())

/**
 * Returns the ISO 3166 code of a number with a leading +, or undefined for codes that belong to no country.
 */
export function findCountry(to: string): string | undefined {
  for (let digits = Math.min(maxDigits, to.length - 1); digits > 0; digits--) {
    const country = byCode.get(to.slice(1, digits + 1))
    if (country !== undefined) return country
  }
  return undefined
}

/** Matches freephone, shared-cost, personal, premium and satellite numbers: of no country, or of those below. */
const specialRateAbroad = new RegExp(
  `^\\+(?:${[
    // Codes without a country.
    '800|808|870|878|88[1-3]|888|979',
    // Codes by country: North America, Russia, Netherlands, Belgium, France, Spain, Italy, Switzerland,
    // Austria, Great Britain, Sweden, Germany, Australia, New Zealand, Japan.
    '1(?:900|8(?:00|33|44|55|66|77|88))',
    '780[0349]',
    '31(?:800|90[069])',
    '32(?:70|800|90)',
    '338',
    '34(?:80[0367]|90[0125])',
    '39(?:80|84|89|178|199)',
    '41(?:800|84[0248]|90[016])',
    '43(?:8[012]0|821|90[01]|93[019])',
    '44(?:70|80|84|87|9)',
    '46(?:900|939|944)',
    '49(?:137|180|700|800|900)',
    '611',
    '64(?:508|800|900)',
    '81(?:120|570|800|990)',
  ].join('|')})`,
)
/** Matches premium (060) and freephone (080) numbers. Messages cannot be delivered to them. */
const specialRateInKorea = /^0(?:60|80)/

/** Reports whether messages to a number have special rates or cannot be delivered. */
export function isSpecialRateRecipient(to: string): boolean {
  return (to.startsWith('+') ? specialRateAbroad : specialRateInKorea).test(to)
}
