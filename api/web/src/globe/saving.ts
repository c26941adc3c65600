// To save: a picture of the globe, and ten seconds of an encounter, with a caption that says what, when and from where.
import { h, reducedMotion } from "../dom";
import { save } from "../download";
import { utc } from "../format";
import type { ShownTime } from "./clock";
import type { Globe } from "./scene";

const LINE_PX = 20;
const PAD_PX = 12;
const PICTURES_S = 25;
const CLIP = "video/webm";

interface Surroundings {
  globe: Globe;
  clock: ShownTime;
  stage: HTMLElement;
  what(): string;
  source: string;
  eventShown(): number | null; // which encounter can be filmed
  film(): void; // play it
}

export interface Saving {
  element: HTMLElement;
  drawn(complete: boolean): void; // after each picture
  stop(): void;
}

export function saving(at: Surroundings): Saving {
  const { globe, clock } = at;
  const canFilm = "MediaRecorder" in window && "captureStream" in HTMLCanvasElement.prototype && MediaRecorder.isTypeSupported(CLIP);
  let waiting = false; // for the first positions
  let filmed: Filmed | null = null;
  const picture = h("button", { type: "button", "aria-label": "PNG: save a picture", title: "PNG: save a picture", onclick: () => savePicture() }, "PNG");
  const clip = h("button", { type: "button", hidden: true, "aria-label": "Clip: save ten seconds of the encounter (WebM)", title: "Clip: save ten seconds of the encounter (WebM)", onclick: () => begin() }, "Clip");

  const compose = (onto: HTMLCanvasElement): void => draw(onto, at.stage, globe.canvas, [at.what(), `${utc(clock.time)} UTC`, at.source]);
  const begin = (): void => {
    if (filmed) return;
    waiting = true;
    at.film();
  };
  const savePicture = (): void => {
    const onto = document.createElement("canvas");
    globe.inFull(clock.time, () => compose(onto));
    onto.toBlob((blob) => blob && save(blob, `skysieve-${stamp(clock.time)}.png`), "image/png");
  };
  return {
    element: h("div", { class: "save", role: "group", "aria-label": "Save" }, picture, clip),
    drawn(complete) {
      const event = at.eventShown();
      clip.hidden = event === null || !canFilm || reducedMotion();
      if (waiting && complete) {
        waiting = false;
        filmed = film(`skysieve-encounter-${event}.webm`);
      }
      clip.setAttribute("aria-pressed", String(filmed !== null));
      if (!filmed) return;
      compose(filmed.onto);
      if (clock.isReplaying) return;
      filmed.end(clock.isAtEndOfReplay);
      filmed = null;
      globe.dirty = true; // the button is another
    },
    stop: () => filmed?.end(false),
  };
}

interface Filmed {
  onto: HTMLCanvasElement;
  end(whole: boolean): void; // saved if it is whole
}

function film(name: string): Filmed {
  const onto = document.createElement("canvas");
  Object.assign(onto, { width: 1, height: 1 });
  const recorder = new MediaRecorder(onto.captureStream(PICTURES_S), { mimeType: CLIP, videoBitsPerSecond: 6e6 });
  const parts: Blob[] = [];
  let isWhole = false;
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.onstop = () => isWhole && save(new Blob(parts, { type: CLIP }), name);
  recorder.start();
  return {
    onto,
    end(whole) {
      isWhole = whole;
      recorder.stop();
      for (const track of recorder.stream.getTracks()) track.stop();
    },
  };
}

// The globe, the names over it, and the caption.
function draw(onto: HTMLCanvasElement, stage: HTMLElement, globe: HTMLCanvasElement, caption: string[]): void {
  const ratio = Math.max(1, globe.width / globe.clientWidth);
  const [width, height] = [even(globe.clientWidth * ratio), even(globe.clientHeight * ratio)];
  if (onto.width !== width || onto.height !== height) Object.assign(onto, { width, height });
  const pen = onto.getContext("2d") as CanvasRenderingContext2D;
  const { fontFamily } = getComputedStyle(stage);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.drawImage(globe, 0, 0, width, height);
  pen.scale(ratio, ratio);
  const frame = stage.getBoundingClientRect();
  pen.font = `600 12px ${fontFamily}`;
  for (const marker of stage.querySelectorAll<HTMLElement>(".marker:not([hidden])")) {
    const { x, y } = marker.getBoundingClientRect();
    const name = marker.classList.contains("bare") ? "" : (marker.textContent ?? "");
    pen.strokeStyle = pen.fillStyle = getComputedStyle(marker).color;
    pen.beginPath();
    pen.arc(x - frame.x, y - frame.y, marker.matches(".secondary") ? 11 : marker.matches(".member") ? 6 : 8, 0, 2 * Math.PI);
    pen.stroke();
    pen.fillText(name, x - frame.x + 14, y - frame.y + (marker.matches(".secondary") ? 20 : -12));
  }
  const top = height / ratio - PAD_PX - LINE_PX * (caption.length - 1);
  pen.fillStyle = "rgb(6 9 13 / 0.6)";
  pen.fillRect(0, top - LINE_PX - 4, width, height);
  caption.forEach((line, i) => {
    pen.font = `${i ? 400 : 600} ${i === caption.length - 1 ? 11 : 14}px ${fontFamily}`;
    pen.fillStyle = i ? "#94a4b3" : "#e4ebf1";
    pen.fillText(line, PAD_PX, top + LINE_PX * i, width / ratio - 2 * PAD_PX);
  });
}

const even = (pixels: number): number => 2 * Math.round(pixels / 2); // as films want it

const stamp = (time: number): string => new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
