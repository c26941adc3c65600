// A time axis in UTC: 24 hours, dates as ISO 8601. uPlot's own has am, pm and the month first.
import type uPlot from "uplot";
import { utc } from "../format";

const [MINUTE_S, DAY_S] = [60, 86_400];
const SPACE_PX = 80; // a date is so wide

// The date stands below the first time of each day; between whole days, alone.
export const instants = {
  space: SPACE_PX,
  values: (_: uPlot, splits: number[], _axis: number, _space: number, step_s: number): string[] => {
    let before = "";
    return splits.map((seconds) => {
      const text = utc(seconds * 1000);
      const [date, time] = [text.slice(0, 10), text.slice(11, step_s < MINUTE_S ? 19 : 16)];
      if (step_s >= DAY_S) return date;
      const told = date === before ? time : `${time}\n${date}`;
      before = date;
      return told;
    });
  },
};
