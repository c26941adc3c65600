// How much is drawn. Where pictures come too slowly there is less of it, step by step, until they come fast enough.
export const STEPS = [
  { ratio: 2, plain: false },
  { ratio: 1, plain: false },
  { ratio: 1, plain: true }, // without air, coastlines and halos
  { ratio: 0.75, plain: true },
  { ratio: 0.5, plain: true },
] as const;

const LONGEST_MS = 1000 / 25;
const JUDGED = 24; // pictures; their median, so that one long one while a list loads does not count

export class Detail {
  step = 0;
  private spent_ms: number[] = [];

  // How long a picture took; true if from now on there is less in it.
  took(milliseconds: number): boolean {
    if (this.spent_ms.push(milliseconds) < JUDGED) return false;
    const median = this.spent_ms.sort((a, b) => a - b)[JUDGED / 2] as number;
    this.spent_ms = [];
    if (median <= LONGEST_MS || this.step === STEPS.length - 1) return false;
    this.step += 1;
    return true;
  }
}
