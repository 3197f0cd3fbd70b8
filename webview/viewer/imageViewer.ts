import * as l10n from '@vscode/l10n';
import { html, nothing, render } from 'lit-html';
import { icon } from '../base/icon';
import { centered, fitted, kept, zoomed, type Size, type View } from './zoom';

/** An image to look at. */
export interface ViewedImage {
  /** A data or blob address. */
  readonly src: string;
  readonly name: string;
  /** Drawn at any size without getting blurred, so that a small one may fill the page. */
  readonly isDrawing?: boolean;
}

/** How much a key or a button zooms, and how far an arrow key moves, in px. */
const zoomStep = 1.25;
const moveStep = 40;
/** How much a small drawing is enlarged to fit. */
const drawingLimit = 2;

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [moveStep, 0],
  ArrowRight: [-moveStep, 0],
  ArrowUp: [0, moveStep],
  ArrowDown: [0, -moveStep],
};

/**
 * Shows an image large, over the page. It zooms with the wheel, the keys + and −, or buttons, and moves with the pointer or the arrow keys.
 * Escape closes it, and the focus returns to where it was.
 */
export class ImageViewer {
  private readonly dialog = document.createElement('dialog');
  private image: ViewedImage | undefined;
  private view: View = { x: 0, y: 0, scale: 1 };
  /** Whether the whole image is in sight, so that it fits again when the page changes its size. */
  private fits = true;
  /** Whether the image couldn’t be decoded. */
  private isBroken = false;
  private readonly observer = new ResizeObserver(() => this.onResize());

  constructor(root: HTMLElement) {
    this.dialog.className = 'pl-viewer';
    this.dialog.setAttribute('aria-labelledby', 'pl-viewer-title');
    // The event comes late: the dialog may be open again.
    this.dialog.addEventListener('close', () => {
      if (!this.dialog.open) this.clear();
    });
    this.dialog.addEventListener('keydown', (event) => this.onKey(event));
    root.append(this.dialog);
    // Images are buttons wherever they are drawn. The viewer needs nothing but the image in the button.
    root.addEventListener('click', (event) => this.onClick(event));
  }

  open(image: ViewedImage): void {
    this.image = image;
    this.fits = true;
    this.isBroken = false;
    this.render();
    if (!this.dialog.open) this.dialog.showModal();
    const { stage } = this;
    if (stage) this.observer.observe(stage);
    stage?.focus();
  }

  private onClick(event: Event): void {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('.pl-zoom') : null;
    const shown = button?.querySelector('img');
    if (!button || !shown) return;
    event.preventDefault();
    this.open({ src: shown.src, name: shown.alt, isDrawing: button.dataset['drawing'] !== undefined });
  }

  private clear(): void {
    this.observer.disconnect();
    this.image = undefined;
    render(nothing, this.dialog);
  }

  private get stage(): HTMLElement | null {
    return this.dialog.querySelector('.stage');
  }

  private get frame(): Size {
    return { width: this.stage?.clientWidth ?? 0, height: this.stage?.clientHeight ?? 0 };
  }

  private get size(): Size {
    const image = this.stage?.querySelector('img');
    return { width: image?.naturalWidth ?? 0, height: image?.naturalHeight ?? 0 };
  }

  private get isReady(): boolean {
    return this.size.width > 0 && this.frame.width > 0;
  }

  private onResize(): void {
    if (this.fits) this.fit();
    else this.place(this.view);
  }

  private fit(): void {
    if (!this.isReady) return;
    this.place(fitted(this.size, this.frame, this.image?.isDrawing ? drawingLimit : 1));
    this.fits = true;
  }

  private showFull(): void {
    if (this.isReady) this.place(centered(this.size, this.frame, 1));
  }

  private zoom(factor: number, x = this.frame.width / 2, y = this.frame.height / 2): void {
    if (this.isReady) this.place(zoomed(this.view, factor, x, y));
  }

  private move(x: number, y: number): void {
    if (this.isReady) this.place({ x: this.view.x + x, y: this.view.y + y, scale: this.view.scale });
  }

  private place(view: View): void {
    this.fits = false;
    this.view = kept(view, this.size, this.frame);
    this.render();
    const image = this.stage?.querySelector('img');
    // The policy forbids style attributes, but not styles that a script sets.
    if (image) image.style.transform = `translate(${this.view.x}px, ${this.view.y}px) scale(${this.view.scale})`;
  }

  private render(): void {
    const { image } = this;
    if (!image) return;
    render(
      html`<div class="bar">
          <h2 id="pl-viewer-title" class="clip grow"><bdi>${image.name}</bdi></h2>
          <div class="zooms">
            <button
              type="button"
              class="btn sm"
              aria-label=${l10n.t('Zoom out')}
              title=${l10n.t('Zoom out (−)')}
              @click=${() => this.zoom(1 / zoomStep)}
            >
              −
            </button>
            <output class="num xs" aria-live="polite">${`${Math.round(this.view.scale * 100)}%`}</output>
            <button
              type="button"
              class="btn sm"
              aria-label=${l10n.t('Zoom in')}
              title=${l10n.t('Zoom in (+)')}
              @click=${() => this.zoom(zoomStep)}
            >
              +
            </button>
            <button type="button" class="btn sm" title=${l10n.t('Fit (0)')} @click=${() => this.fit()}>
              ${l10n.t('Fit')}
            </button>
            <button type="button" class="btn sm" title=${l10n.t('Original size (1)')} @click=${() => this.showFull()}>
              100%
            </button>
          </div>
          <button
            type="button"
            class="ib"
            aria-label=${l10n.t('Close')}
            title=${l10n.t('Close')}
            @click=${() => this.dialog.close()}
          >
            ${icon('close')}
          </button>
        </div>
        <div
          class="stage"
          tabindex="0"
          role="group"
          aria-label=${image.name}
          @wheel=${(event: WheelEvent) => this.onWheel(event)}
          @pointerdown=${(event: PointerEvent) => this.onPointer(event)}
          @pointermove=${(event: PointerEvent) => this.onPointer(event)}
          @dblclick=${() => (this.fits ? this.showFull() : this.fit())}
        >
          ${
            this.isBroken
              ? html`<p>${l10n.t('This image is damaged and can’t be shown.')}</p>`
              : html`<img
                  alt=${image.name}
                  draggable="false"
                  src=${image.src}
                  @load=${() => this.fit()}
                  @error=${() => this.onBroken()}
                />`
          }
        </div>`,
      this.dialog,
    );
  }

  private onBroken(): void {
    this.isBroken = true;
    this.render();
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault();
    const { left, top } = this.stage?.getBoundingClientRect() ?? { left: 0, top: 0 };
    this.zoom(2 ** (-event.deltaY / 300), event.clientX - left, event.clientY - top);
  }

  private onPointer(event: PointerEvent): void {
    const { currentTarget: stage } = event;
    if (!(stage instanceof HTMLElement) || event.buttons !== 1) return;
    if (event.type === 'pointerdown') stage.setPointerCapture(event.pointerId);
    else this.move(event.movementX, event.movementY);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const by = moves[event.key];
    if (event.key === '+' || event.key === '=') this.zoom(zoomStep);
    else if (event.key === '-') this.zoom(1 / zoomStep);
    else if (event.key === '0') this.fit();
    else if (event.key === '1') this.showFull();
    else if (by) this.move(...by);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
