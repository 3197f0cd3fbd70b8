/**
 * Every row of the checklist by how it stands, frozen: what is here may not vanish from the suite, and none may fall back. Whoever
 * serves a row that was `later`, or plays one that other tests have shown so far, moves its id here, too.
 */
export const checklist = {
  /** A case of this suite plays the row. */
  played: [
    'B01 B02 B03 B04 B05 B06 B07 B08 B09 B10 B11 B12 B13 B14 B15 B16 B17 B18 B19',
    'N01 N02 N03 N04 N05 N06 N07 N08 N09 N10 N11',
    'T01 T02 T03 T04 T05 T06 T07 T08 T09 T10 T11 T12',
    'A01 A02 A03 A04 A05 A06 A07 A08 A09 A10',
    'S01 S02 S03 S04 S05 S06 S07 S08 S09 S10 S11 S12 S13 S14 S16 S17 S18',
    'P01 P02 P03 P04 P05 P06 P07 P08 P09 P10 P11 P12 P13',
    'U01 U02 U03 U04 U05 U06 U07 U08 U09 U10 U11 U12 U13 U14 U15 U16 U17 U18 U19 U20 U21 U22',
    'C01 C02 C03 C04 C05 C06 C07 C08',
    'F01 F02 F03 F04 F05 F06 F07 F08',
    'X01 X02 X03 X04 X05 X06 X07 X08 X09 X10 X11 X12',
    'R01 R02 R03 R04 R05 R06 R07 R08 R09 R10 R11 R12',
    'E01 E02 E03 E04 E05 E06 E07 E08 E09',
    'M01 M02 M03 M04 M05',
    'O01 O02 O03 O04 O05',
    'G01 G03 G04 G05 G06',
    'Q01 Q02 Q03 Q04 Q06 Q07 Q08 Q10 Q13 Q14 Q16 Q19 Q21 Q23 Q25 Q28 Q33',
  ],
  /** Tests of other layers show it. */
  shownElsewhere: [
    'S15 G02',
    'H01 H02 H03 H04 H05 H06 H07 H08 H09 H10 H11 H12 H13',
    'Q05 Q09 Q11 Q12 Q15 Q17 Q18 Q20 Q22 Q24 Q26 Q27 Q29 Q30 Q31 Q32 Q34 Q35 Q36 Q37 Q38 Q39 Q40 Q41 Q42 Q43 Q44 Q45',
  ],
  /** What no agent needs yet. */
  later: [],
  /** It asks for something of clients that do what Parley does not. */
  notApplicable: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** How a row stands. */
export type Standing = keyof typeof checklist;

/** The standing of every row by its id. */
export const standings: ReadonlyMap<string, Standing> = new Map(
  (Object.keys(checklist) as Standing[]).flatMap((standing) =>
    checklist[standing].flatMap((ids) => ids.split(' ').map((id) => [id, standing] as const)),
  ),
);
