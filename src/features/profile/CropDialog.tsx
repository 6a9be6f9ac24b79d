import { useEffect, useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Notice } from '#ui/Notice.tsx';
import { cut } from './cut.ts';

interface CropProps {
  file: File;
  onDone: (picture: Blob) => void;
  onCancel: () => void;
}

/** Cuts a picture to a square: by dragging, by arrow keys, and with a slider for the size. */
export default function CropDialog({ file, onDone, onCancel }: CropProps) {
  const [address, setAddress] = useState<string>();
  const [place, setPlace] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area | null>(null);
  const [broken, setBroken] = useState(false);
  const [pending, setPending] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  const use = async () => {
    if (!area) return;
    setPending(true);
    try {
      onDone(await cut(file, area));
    } catch {
      setBroken(true);
      setPending(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onCancel();
      }}
      title="Cut your picture"
      description="Drag it, or move it with the arrow keys, until the circle shows what you want."
      footer={
        <>
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
          <Button pending={pending} disabled={!area || broken} onClick={() => void use()}>
            Use this picture
          </Button>
        </>
      }
    >
      <div className="relative h-72 overflow-hidden rounded-control bg-raised">
        {address && !broken && (
          <Cropper
            image={address}
            crop={place}
            zoom={zoom}
            aspect={1}
            cropShape="round"
            showGrid={false}
            disableAutomaticStylesInjection
            onCropChange={setPlace}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setArea(pixels)}
            mediaProps={{ onError: () => setBroken(true) }}
          />
        )}
      </div>
      <label className="flex items-center gap-3 text-sm">
        Size
        <input
          type="range"
          min={1}
          max={4}
          step={0.05}
          value={zoom}
          onChange={(event) => setZoom(Number(event.currentTarget.value))}
          className="h-11 grow accent-primary"
        />
      </label>
      {broken && (
        <Notice tone="danger" live="assertive">
          This picture cannot be opened. Choose another one.
        </Notice>
      )}
    </Dialog>
  );
}
