const DEMO_IDS = ['88000', 'a_0']

/** A list of batches or authorisations without those of the demo data: what the test itself made. */
export const withoutDemo = <Row extends {readonly id: string}>(rows: readonly Row[]): readonly Row[] =>
  rows.filter(({id}) => !DEMO_IDS.includes(id))
